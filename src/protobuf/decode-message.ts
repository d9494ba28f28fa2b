import type { WireMessage } from "../descriptor.js";
import { readMessage } from "./read-message.js";
import { type Direction, withErrors } from "./wire-fault.js";
import { WireReader } from "./wire-reader.js";

/**
 * The ProtoJSON of the protobuf bytes of a message, for the decoding table of the message to check: names of enums
 * (numbers where they have none), base64, timestamps ending in `Z`, 64 bits as decimal text. Defaults are left out except where
 * the table requires them; unknown fields are passed over. A field that comes twice is read as protobuf says: the last one
 * wins, lists go on, messages are merged.
 *
 * Throws `INVALID_PARAMS` (-32602) for a request, `DECODE` for a reply, both with `violations`: bytes that end within a value,
 * groups, text that is not UTF-8, numbers that JSON does not have, more than 100 levels.
 */
export function decodeMessage(
  message: WireMessage,
  bytes: Uint8Array,
  direction: Direction = "reply",
): unknown {
  return withErrors(direction, () => readMessage(message, new WireReader(bytes), 0));
}
