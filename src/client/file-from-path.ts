import { A2AError } from "../errors.js";
import type { Part } from "../versions/pivot.js";
import { filePart, MAX_FILE_BYTES, type FilePartOptions } from "./file-part.js";
import { mediaTypeOf } from "./media-type-of.js";

/**
 * A part with a file of this machine, for Node; its name and the media type of its extension go along. `CONFIG` where it
 * cannot be read, `PAYLOAD_TOO_LARGE` (before it is read) where it is larger than `maxBytes`.
 */
export async function fileFromPath(path: string, options: FilePartOptions = {}): Promise<Part> {
  const [fs, paths] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const { maxBytes = MAX_FILE_BYTES } = options;
  const handle = await fs.open(path).catch(unreadable(path));
  try {
    const { size } = await handle.stat();
    // Read no further than allowed, for it may grow meanwhile.
    const most = Math.min(size, maxBytes) + 1;
    const { buffer, bytesRead } = await handle.read(new Uint8Array(most), 0, most, 0).catch(unreadable(path));
    const filename = paths.basename(path);
    const bytes = size > maxBytes ? buffer : buffer.subarray(0, bytesRead);
    return await filePart(bytes, { filename, mediaType: mediaTypeOf(filename), ...options });
  } finally {
    await handle.close();
  }
}

const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    const { code = "" } = cause as { code?: string };
    throw new A2AError("CONFIG", `${path} cannot be read (${code})`, { cause });
  };
