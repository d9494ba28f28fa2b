import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { InputFault } from "./fault.js";

/** The bytes of an input file, with what the manifest records about them. */
export interface Source {
  readonly text: string;
  /** Lower-case hex digest of the bytes as read. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Reads a file by path, or by `http(s)` URL; throws {@link InputFault} when there is nothing to read. */
export async function readSource(location: string): Promise<Source> {
  return sourceOf(/^https?:\/\//.test(location) ? await download(location) : await readLocal(location));
}

/** The same record for bytes at hand. */
export function sourceOf(bytes: Uint8Array): Source {
  return { text: new TextDecoder().decode(bytes), sha256: sha256(bytes), bytes: bytes.byteLength };
}

/** Hex SHA-256 of bytes or of UTF-8 text. */
export function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

async function readLocal(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new InputFault(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, path);
  }
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((cause: unknown) => {
    throw new InputFault(`cannot be fetched: ${cause instanceof Error ? cause.message : String(cause)}`, url);
  });
  if (!response.ok) throw new InputFault(`answered HTTP ${String(response.status)}`, url);
  return new Uint8Array(await response.arrayBuffer());
}
