import { A2AError } from "../errors.js";
import type { FetchResponse } from "./fetch-like.js";
import { networkError } from "./http-send.js";

/** Default cap of a reply that is no stream. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** The chunks of a body. Ending the iteration early closes the connection; a broken one throws `NETWORK`. */
export async function* chunksOf(
  response: FetchResponse,
  signal: AbortSignal,
  onProgress?: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  try {
    while (reader) {
      const { done, value } = await reader.read();
      if (done) return;
      onProgress?.();
      if (value) yield value;
    }
  } catch (cause) {
    throw networkError(signal, "The connection broke in the middle of a reply", cause);
  } finally {
    // Does nothing where the body has ended.
    reader?.cancel().catch(() => undefined);
  }
}

/** The whole body as text (UTF-8, BOM dropped); more than `limit` bytes is `PAYLOAD_TOO_LARGE`. */
export async function textOf(
  response: FetchResponse,
  signal: AbortSignal,
  limit = MAX_BODY_BYTES,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of chunksOf(response, signal)) {
    size += chunk.length;
    if (size > limit) {
      throw new A2AError("PAYLOAD_TOO_LARGE", `A reply exceeds maxBodyBytes (${String(limit)})`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
