import type { JsonObject } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { file, type Part } from "../versions/pivot.js";

/** Largest file that is put into a message, unless an option says otherwise: 16 MiB. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** What a file part says besides the bytes. */
export interface FilePartOptions {
  /** Default: that of a blob. */
  readonly mediaType?: string | undefined;
  /** Default: that of a `File`. */
  readonly filename?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Largest file, in bytes; default 16 MiB. More is `PAYLOAD_TOO_LARGE`. */
  readonly maxBytes?: number | undefined;
}

/** A part with the bytes of a file: `await filePart(input.files[0])`. Of a path it is `fileFromPath` of `a2a-typed/node`. */
export async function filePart(source: Blob | Uint8Array, options: FilePartOptions = {}): Promise<Part> {
  const { maxBytes = MAX_FILE_BYTES, metadata } = options;
  const isBlob = source instanceof Blob;
  const size = isBlob ? source.size : source.byteLength;
  if (size > maxBytes) {
    throw new A2AError(
      "PAYLOAD_TOO_LARGE",
      `The file has ${String(size)} bytes, more than maxBytes (${String(maxBytes)})`,
    );
  }
  const bytes = isBlob ? new Uint8Array(await source.arrayBuffer()) : source;
  const mediaType = options.mediaType ?? (isBlob && source.type !== "" ? source.type : undefined);
  const filename = options.filename ?? (isBlob && "name" in source ? String(source.name) : undefined);
  return file(
    { bytes },
    { ...(mediaType && { mediaType }), ...(filename && { filename }), ...(metadata && { metadata }) },
  );
}
