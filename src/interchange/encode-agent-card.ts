import { decode } from "../codec/decode.js";
import { A2AError } from "../errors.js";
import {
  agentCardTable,
  pivot,
  type AgentCard,
  type AgentInterface,
  type SecurityRequirement,
} from "../versions/pivot.js";
import { anyGeneration } from "./any-generation.js";
import { encode, type EncodeOptions } from "./encode.js";
import { lineOf } from "./older.js";
import { ownValue } from "./own-value.js";

/** The least that a card needs; the rest has defaults, or comes from the overrides. */
export type CardDraft = Partial<AgentCard> & Pick<AgentCard, "name" | "description" | "version" | "skills">;

/** Members that win over those of the card. */
export interface AgentCardOverrides extends Partial<Omit<AgentCard, "supportedInterfaces">> {
  /** Where the agent takes JSON-RPC: makes the one interface of a card that has none. */
  readonly url?: string;
  /** Interfaces; what they leave out is JSONRPC and the version that is written. */
  readonly supportedInterfaces?: (Pick<AgentInterface, "url"> & Partial<AgentInterface>)[];
  /** Requirements as OpenAPI and 0.x write them, instead of `securityRequirements`: `[{ bearer: ["read"] }]`. */
  readonly security?: readonly (Readonly<Record<string, readonly string[]>> | SecurityRequirement)[];
}

/**
 * Writes an agent card as JSON, by default of the newest version, from a full card or from a few of its members.
 * Defaults: no capabilities, text in and out, and one JSON-RPC interface at `url` where neither card nor overrides have
 * any. Throws `INVALID_PARAMS` where the card would not be valid.
 */
export function encodeAgentCard(
  card: CardDraft,
  overrides: AgentCardOverrides = {},
  options: EncodeOptions = {},
): unknown {
  const { url, security, supportedInterfaces, ...others } = overrides;
  const protocolVersion = lineOf(options.version ?? pivot.version);
  const own = url === undefined ? [] : [{ url }];
  const interfaces = supportedInterfaces ?? nonEmpty(card.supportedInterfaces) ?? own;
  if (interfaces.length === 0) {
    throw new A2AError("INVALID_PARAMS", "The card has no interface: give url, or supportedInterfaces");
  }
  const draft = {
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    ...defined(card),
    ...defined(others),
    ...(security !== undefined && { securityRequirements: security }),
    supportedInterfaces: interfaces.map((one) => ({ protocolBinding: "JSONRPC", protocolVersion, ...one })),
  };
  // Schemes and requirements may be of either generation; `encode` then holds the whole to the schema.
  const read = ownValue(() =>
    decode<AgentCard>(agentCardTable, draft, {
      direction: "reply",
      mode: anyGeneration(options.losses),
    }),
  );
  return encode("agentCard", read, options);
}

const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;
const defined = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
