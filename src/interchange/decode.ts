import { readAgentCard } from "../client/card/read-agent-card.js";
import { decode as readTable, type Problem } from "../codec/decode.js";
import { isObject } from "../codec/json.js";
import { tolerant } from "../codec/tolerant.js";
import { planFor } from "../convert/plan.js";
import type { ConversionOptions, Loss } from "../convert/types.js";
import type { Table } from "../descriptor.js";
import { pivot } from "../versions/pivot.js";
import { anyGeneration } from "./any-generation.js";
import { attempt, type Attempt } from "./attempt.js";
import { factsOf } from "./codec-type.js";
import type { CodecType, CodecTypes, VersionName } from "./codec-types.js";
import { fileContentTable, isLegacyFile } from "./file-content.js";
import { lineOf } from "./older.js";

/** How JSON is read. */
export interface DecodeOptions extends ConversionOptions {
  /**
   * `auto` (default): whatever generation each object is of, and what sloppy peers write. A version: that one, strictly.
   */
  readonly version?: "auto" | VersionName | undefined;
  /** With a version: read the spellings of the others and other leniencies too. */
  readonly tolerant?: boolean | undefined;
  /** Gets one entry for each leniency that was needed. */
  readonly problems?: Problem[] | undefined;
  /** Gets one entry for each member that the newest shape cannot say as it was. */
  readonly losses?: Loss[] | undefined;
}

/**
 * Reads JSON of any version into the newest shape. Throws `DECODE`, with violations, for what it cannot read, and
 * `INVALID_AGENT_RESPONSE` for an event that is not exactly one of its kinds.
 */
export function decode<K extends CodecType>(
  type: K,
  json: unknown,
  options: DecodeOptions = {},
): CodecTypes[K] {
  const { version = "auto", problems, losses, tolerant: isTolerant = false, ...how } = options;
  const { schema } = factsOf(type);
  const read = version === "auto" ? readAny(type, json, problems, losses) : readVersion(version);
  // Read by the table of the type, or converted to it.
  return read as CodecTypes[K];

  function readVersion(named: string): unknown {
    const mode = isTolerant ? tolerant : undefined;
    const by = (table: Table<unknown>, value: unknown): unknown =>
      readTable(table, value, { direction: "reply", mode, ...(problems && { problems }) });
    if (lineOf(named) === pivot.version) return by(tableOf(type), json);
    const isFile = type === "fileContent";
    const { table, run } = planFor(schema, named, pivot.version);
    const older = by(table, isFile ? { kind: "file", file: json } : json);
    return run(older, false, how, losses);
  }
}

/** `decode` without a throw: the value with what was lenient and what was lost, or the error. */
export function tryDecode<K extends CodecType>(
  type: K,
  json: unknown,
  options: DecodeOptions = {},
): Attempt<CodecTypes[K], { readonly problems: readonly Problem[]; readonly losses: readonly Loss[] }> {
  const { problems = [], losses = [] } = options;
  return attempt(() => decode(type, json, { ...options, problems, losses }), { problems, losses });
}

/** `decode("agentCard", …)`. */
export const decodeAgentCard = (json: unknown, options: DecodeOptions = {}): CodecTypes["agentCard"] =>
  decode("agentCard", json, options);

function readAny(type: CodecType, json: unknown, problems?: Problem[], losses?: Loss[]): unknown {
  if (type === "agentCard") {
    // It throws for what is no object.
    const read = readAgentCard(isObject(json) ? json : JSON.stringify(json ?? null));
    problems?.push(...read.problems);
    return read.card;
  }
  const mode = anyGeneration(losses);
  const by = (table: Table<unknown>, value: unknown): unknown =>
    readTable(table, value, { direction: "reply", mode, ...(problems && { problems }) });
  if (type === "fileContent" && isLegacyFile(json))
    return by(factsOf("part").table, { kind: "file", file: json });
  return by(tableOf(type), json);
}

const tableOf = (type: CodecType): Table<unknown> =>
  type === "fileContent" ? fileContentTable : factsOf(type).table;
