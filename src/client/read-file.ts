import { A2AError } from "../errors.js";
import type { Part } from "../versions/pivot.js";
import type { ConnectGuard } from "./connect-guard.js";
import { MAX_FILE_BYTES } from "./file-part.js";
import { chunksOf } from "./http-body.js";
import { discard, sendHttp } from "./http-send.js";
import { isSuccess } from "./http-error.js";
import { networkGuard, type NetworkGuardOptions } from "./network-guard.js";
import { parseUrl } from "./public-url.js";
import { startRun } from "./run.js";

/** How a file that an agent sent is read. */
export interface ReadFileOptions extends Pick<
  NetworkGuardOptions,
  "allow" | "ports" | "requireHttps" | "lookup"
> {
  /** Largest file, in bytes; default 16 MiB. More is `PAYLOAD_TOO_LARGE`, noticed before it is read. */
  readonly maxBytes?: number | undefined;
  /** For all of it, in ms; default 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A guard to share between files; default: one of its own, with the options here. */
  readonly guard?: ConnectGuard | undefined;
}

/** A file that an agent sent. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** As the part says, else as the server of the URL does. */
  readonly mediaType: string | undefined;
  /** As the agent wrote it: no path to write to. */
  readonly filename: string | undefined;
}

/**
 * The bytes of a file part, for Node. A URL is fetched from public addresses only, without any credentials, and redirects are
 * followed within its origin: an agent could have the program fetch what only the program may see. Throws `CONFIG` for a
 * part that is no file, `FORBIDDEN_TARGET`, `HTTP`, `NETWORK`, `TIMEOUT`, `DECODE` for bytes that are no base64.
 */
export async function readFile(part: Part, options: ReadFileOptions = {}): Promise<ReadFile> {
  const { maxBytes = MAX_FILE_BYTES, guard } = options;
  const { mediaType, filename, raw, url } = part;
  if (raw !== undefined) return { bytes: decoded(raw, maxBytes), mediaType, filename };
  if (url === undefined) throw new A2AError("CONFIG", "The part is no file: it has neither raw nor url");
  const target = parseUrl(url);
  if (guard === undefined) {
    // Not `await using`: its helper would be a file of its own, in every import of the library.
    const own = networkGuard(options);
    try {
      return await readFile(part, { ...options, guard: own });
    } finally {
      await own[Symbol.asyncDispose]();
    }
  }
  const run = startRun("readFile", options.timeoutMs ?? 60_000, options.signal);
  try {
    const fetched = await run.guard(download(guard.fetch, target, maxBytes, run.signal));
    return { ...fetched, mediaType: mediaType ?? fetched.mediaType, filename };
  } finally {
    run.release();
  }
}

async function download(
  fetch: ConnectGuard["fetch"],
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Pick<ReadFile, "bytes" | "mediaType">> {
  const response = await sendHttp(fetch, url, { method: "GET", headers: {}, signal });
  if (!isSuccess(response)) {
    discard(response);
    throw new A2AError("HTTP", `The file was answered with HTTP ${String(response.status)}`, {
      status: response.status,
    });
  }
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    discard(response);
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response, signal)) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, mediaType: response.headers.get("content-type") ?? undefined };
}

function decoded(raw: string, maxBytes: number): Uint8Array {
  if (raw.length * 0.75 > maxBytes + 2) throw tooLarge(maxBytes);
  try {
    const bytes = Uint8Array.from(atob(raw), (letter) => letter.charCodeAt(0));
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  } catch (error) {
    if (error instanceof A2AError) throw error;
    throw new A2AError("DECODE", "The bytes of the file are no base64", { cause: error });
  }
}

const tooLarge = (maxBytes: number): A2AError =>
  new A2AError("PAYLOAD_TOO_LARGE", `The file has more than maxBytes (${String(maxBytes)})`);
