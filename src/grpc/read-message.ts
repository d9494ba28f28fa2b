import { tooLarge } from "../adapter/too-large.js";
import { A2AError } from "../errors.js";
import type { ByteCall } from "./grpc-incoming.js";

/** Milliseconds within which the message of a call must be there. */
const PATIENCE_MS = 60_000;

/**
 * The one message of a call, as bytes; nothing of it was read before. Throws `PAYLOAD_TOO_LARGE` beyond `limit`, and
 * `INVALID_REQUEST` for a call without a message, with more than one, or with one that does not come.
 */
export function readMessage(call: ByteCall, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let message: Buffer | undefined;
    const late = setTimeout(
      () => fail(new A2AError("INVALID_REQUEST", "The message did not come in time", { status: 408 })),
      PATIENCE_MS,
    );
    late.unref();
    const settle = (): void => {
      clearTimeout(late);
      call.off("data", onData);
      call.off("end", onEnd);
      call.off("close", onClose);
    };
    const fail = (error: A2AError): void => {
      settle();
      reject(error);
    };
    const onData = (bytes: Buffer): void => {
      if (message !== undefined) fail(new A2AError("INVALID_REQUEST", "Expected one message, found more"));
      else if (bytes.length > limit) fail(tooLarge(limit));
      else message = bytes;
    };
    const onEnd = (): void => {
      if (message === undefined) {
        fail(new A2AError("INVALID_REQUEST", "Expected a message, found none"));
        return;
      }
      settle();
      resolve(message);
    };
    const onClose = (): void => fail(new A2AError("ABORTED", "The caller went away"));
    // Gone while others looked at the call.
    if (call.cancelled) {
      onClose();
      return;
    }
    call.on("data", onData);
    call.on("end", onEnd);
    call.on("close", onClose);
  });
}
