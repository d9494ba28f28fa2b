/** Reads either generation of the protocol into the newest shapes, and writes either. */
export type { Problem } from "./codec/decode.js";
export type { ConversionOptions, Loss, LossCode } from "./convert/types.js";
export { A2AError, isA2AError } from "./errors.js";
export { anyGeneration } from "./interchange/any-generation.js";
export type { Attempt } from "./interchange/attempt.js";
export type { CodecType, CodecTypes, FileContent, VersionName } from "./interchange/codec-types.js";
export { decode, decodeAgentCard, tryDecode, type DecodeOptions } from "./interchange/decode.js";
export { encode, tryEncode, type Encodable, type EncodeOptions } from "./interchange/encode.js";
export { encodeAgentCard, type AgentCardOverrides, type CardDraft } from "./interchange/encode-agent-card.js";
export { encodeKnownKeys } from "./interchange/encode-known-keys.js";
export { decodeState, encodeState, validStates } from "./interchange/states.js";
export { streamResponse } from "./interchange/stream-response.js";
