import { open, realpath } from "node:fs/promises";
import { basename, sep } from "node:path";
import { A2AError } from "../errors.js";
import type { Part } from "../versions/pivot.js";
import { mediaTypeOf } from "./media-types.js";

/** Which local files may be sent. */
export interface OutgoingFileOptions {
  /** Folders that they must be in; undefined: anywhere. */
  readonly roots: readonly string[] | undefined;
  /** Largest file. */
  readonly maxBytes: number;
}

/** A file as a part of a message: a URL as it is, a local file with its bytes. Rejects with `INVALID_PARAMS`. */
export async function filePart(file: string, options: OutgoingFileOptions): Promise<Part> {
  if (/^https?:\/\//i.test(file)) {
    if (!URL.canParse(file)) throw refusal(file, "is no URL");
    const name = basename(new URL(file).pathname);
    return { url: file, ...described(name) };
  }
  const path = await realpath(file).catch((error: unknown) => {
    throw refusal(file, options.roots ? NOT_ALLOWED : "is not there", error);
  });
  if (options.roots && !(await isBelow(path, options.roots))) throw refusal(file, NOT_ALLOWED);
  const handle = await open(path).catch((error: unknown) => {
    throw refusal(file, "cannot be read", error);
  });
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw refusal(file, "is no file");
    if (facts.size > options.maxBytes) {
      throw refusal(file, `has ${facts.size} bytes, and at most ${options.maxBytes} can be sent: give a URL`);
    }
    const content = await handle.readFile();
    return { raw: content.toString("base64"), ...described(basename(path), "application/octet-stream") };
  } finally {
    await handle.close();
  }
}

function described(name: string, fallback?: string): { filename?: string; mediaType?: string } {
  const mediaType = mediaTypeOf(name) ?? fallback;
  return { ...(name !== "" && { filename: name }), ...(mediaType !== undefined && { mediaType }) };
}

async function isBelow(path: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined);
    if (real !== undefined && path.startsWith(real.endsWith(sep) ? real : real + sep)) return true;
  }
  return false;
}

const refusal = (file: string, what: string, cause?: unknown): A2AError =>
  new A2AError("INVALID_PARAMS", `The file ${JSON.stringify(file)} ${what}`, { cause });

// The same for files that are not there: whoever may not send them learns nothing of them.
const NOT_ALLOWED = "is not in a folder that files may be sent from";
