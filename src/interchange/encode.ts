import { decode } from "../codec/decode.js";
import { isObject } from "../codec/json.js";
import { planFor } from "../convert/plan.js";
import type { ConversionOptions, Loss } from "../convert/types.js";
import { pivot } from "../versions/pivot.js";
import { attempt, type Attempt } from "./attempt.js";
import { factsOf } from "./codec-type.js";
import type { CodecType, CodecTypes, VersionName } from "./codec-types.js";
import { fileContentTable } from "./file-content.js";
import { lineOf } from "./older.js";
import { ownValue } from "./own-value.js";
import { streamResponse } from "./stream-response.js";
import { withoutEmpty } from "./without-empty.js";

/** How a value is written. */
export interface EncodeOptions extends ConversionOptions {
  /** The version of who will read it; default the newest. */
  readonly version?: VersionName | undefined;
  /** Gets one entry for each member that the version cannot say as it was. */
  readonly losses?: Loss[] | undefined;
}

/** What a value may be given as: an event with or without its wrapper. */
export type Encodable<K extends CodecType> = K extends "event"
  ? Parameters<typeof streamResponse>[0]
  : CodecTypes[K];

/**
 * Writes a value of the newest shape as JSON of any version. Optional members without a value and empty collections are
 * left out. Throws `INVALID_PARAMS` for what is no such value, and an `A2AError` for what the version cannot say.
 */
export function encode<K extends CodecType>(
  type: K,
  value: Encodable<K>,
  options: EncodeOptions = {},
): unknown {
  const { version = pivot.version, losses, ...how } = options;
  const { table, schema } = factsOf(type);
  const given = type === "event" ? streamResponse(value as Encodable<"event">) : value;
  const canonical = ownValue(() =>
    decode(type === "fileContent" ? fileContentTable : table, given, { direction: "reply" }),
  );
  if (lineOf(version) === pivot.version) return withoutEmpty(table, canonical);
  const written = planFor(schema, pivot.version, version).run(canonical, false, how, losses);
  return type === "fileContent" && isObject(written) ? written["file"] : written;
}

/** `encode` without a throw: the JSON with what was lost, or the error. */
export function tryEncode<K extends CodecType>(
  type: K,
  value: Encodable<K>,
  options: EncodeOptions = {},
): Attempt<unknown, { readonly losses: readonly Loss[] }> {
  const losses = options.losses ?? [];
  return attempt(() => encode(type, value, { ...options, losses }), { losses });
}
