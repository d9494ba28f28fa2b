import { A2AError } from "../errors.js";

/** The refusal of a body above `limit` bytes. */
export function tooLarge(limit: number): A2AError {
  return new A2AError("PAYLOAD_TOO_LARGE", `The request body is larger than ${String(limit)} bytes`, {
    code: -32600,
    metadata: { limitBytes: String(limit) },
  });
}
