import { tooLarge } from "./refusals.js";
import type { HeaderReader } from "./header-of.js";
import type { IncomingNotification } from "./types.js";

/** The bytes of a body, none more than `maxBytes`. */
export async function readBody(
  incoming: IncomingNotification,
  header: HeaderReader,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = incoming;
  if (typeof body === "string" || body instanceof Uint8Array) {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }
  if (Number(header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body !== null) {
    const reader = body.getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      size += step.value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        throw tooLarge(maxBytes);
      }
      chunks.push(step.value);
    }
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
