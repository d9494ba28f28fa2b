import type { Problem } from "../../codec/decode.js";
import { isObject } from "../../codec/json.js";
import { quote } from "../../codec/reader.js";
import type { JsonObject } from "../../descriptor.js";
import { A2AError } from "../../errors.js";
import { agentCardTable, pivot, type AgentCard } from "../../versions/pivot.js";
import { excerpt } from "../http-error.js";
import { parseJson } from "../parse-json.js";
import { parseUrl, publicUrl } from "../public-url.js";
import type { CardInterface } from "./card-interface.js";
import { legacyMembers, readCardBody } from "./card-body.js";
import { camelMembers } from "./card-parts.js";
import { objectRule } from "./card-rules.js";
import { createFindings } from "./findings.js";
import { cardViolations, notACard, violationAt } from "./not-a-card.js";
import { readInterfaces } from "./read-interfaces.js";

/** Options of `readAgentCard`. */
export interface ReadCardOptions {
  /** Where the card was found: relative URLs are resolved against it, and messages name it. */
  readonly url?: string | undefined;
  /** What relative URLs are resolved against; default `url`. */
  readonly base?: string | undefined;
  /** Refuse a card that needs any leniency, instead of telling about it. */
  readonly strict?: boolean | undefined;
}

/** A card, and what there is to know about it. */
export interface ReadCard {
  /** In the newest shape. Unknown members are kept; what 0.x says elsewhere has moved to its place. */
  readonly card: AgentCard;
  /** Everything that the card offers to call, in its order. */
  readonly interfaces: readonly CardInterface[];
  /** Each oddity: where, a stable code, and what was done. */
  readonly problems: readonly Problem[];
  /** `unverified`: there are signatures, and nobody has looked at them. Verify `document`, never `card`. */
  readonly signature: "none" | "unverified";
  /** The document as it came. */
  readonly document: JsonObject;
}

/**
 * Reads the agent card of any version, and of sloppy authors: object by object, for one card may be of two generations.
 * Throws `DECODE`, with violations, for what is no card and for one that names nothing that could be called.
 */
export function readAgentCard(input: string | object, options: ReadCardOptions = {}): ReadCard {
  const at = options.url === undefined ? undefined : parseUrl(options.url);
  const base = options.base === undefined ? at : parseUrl(options.base);
  const where = at === undefined ? "The document" : publicUrl(at);
  const text = typeof input === "string" ? input : textOf(input, where);
  // Twice, so that the document stays as it came whatever is done to the card.
  const [document, given] = [parseCard(text, where), parseCard(text, where)];
  const findings = createFindings();
  const rule = objectRule(agentCardTable);
  const source = camelMembers(given, rule, legacyMembers, "", findings);
  const interfaces = readInterfaces(source, { address: { at, base }, newest: pivot.version, findings });
  const violations = cardViolations(source, interfaces);
  if (violations.length > 0) throw notACard(where, violations);
  // Decoded by the table of this type; schemes of unknown types are the one thing that it does not know.
  const card = readCardBody(source, interfaces, rule, where, findings) as unknown as AgentCard;
  const { problems, leniencies } = findings;
  if (options.strict && leniencies.length > 0) {
    throw notACard(
      where,
      leniencies.map(({ pointer, message }) => violationAt(pointer, message)),
    );
  }
  return {
    card,
    interfaces,
    problems,
    signature: Array.isArray(source["signatures"]) && source["signatures"].length > 0 ? "unverified" : "none",
    document,
  };
}

function parseCard(text: string, where: string): JsonObject {
  // A byte order mark is no JSON, and yet files begin with it.
  const json = parseJson(text.replace(/^\uFEFF/, ""));
  if (json === undefined) throw new A2AError("DECODE", `${where} is not JSON${excerpt(text)}`);
  if (!isObject(json)) throw notACard(where, [violationAt("", `expected an object, found ${quote(json)}`)]);
  return json;
}

function textOf(input: object, where: string): string {
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new A2AError("DECODE", `${where} is no JSON value`, { cause });
  }
}
