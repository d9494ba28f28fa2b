import type { WireMessage } from "../descriptor.js";
import { type Direction, withErrors } from "./wire-fault.js";
import { WireWriter } from "./wire-writer.js";
import { writeMessage } from "./write-message.js";

/** A writer that grew larger than this is not kept. */
const KEPT = 1 << 18;

let spare: WireWriter | undefined;

/**
 * The protobuf bytes of a canonical JSON value. Members with their default are left out where the wire has no presence for
 * them, and so are members that the message does not have. Entries of maps keep their order.
 *
 * Throws `INVALID_PARAMS` (-32602) for a request, `DECODE` for a reply, both with `violations`, for a value that is of
 * another kind than the message says: two members of a oneof, `NaN`, base64 that is none, more than 100 levels.
 */
export function encodeMessage(
  message: WireMessage,
  value: unknown,
  direction: Direction = "reply",
): Uint8Array {
  // A getter of the value may encode another message meanwhile.
  const writer = spare ?? new WireWriter();
  spare = undefined;
  try {
    return withErrors(direction, () => {
      writeMessage(message, writer, value, 0);
      return writer.take();
    });
  } finally {
    writer.clear();
    if (writer.capacity <= KEPT) spare = writer;
  }
}
