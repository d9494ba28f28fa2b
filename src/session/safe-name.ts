import { createHash } from "node:crypto";

/** Ids that are names as they are, on every file system: no upper case, which some do not tell from lower. */
const PLAIN = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** Names of devices on Windows, whatever their ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * An id as the name of a file or folder: the id itself where it is a plain name, else what can be read of it and a digest.
 * It never leads out of the folder, and different ids have different names.
 */
export function safeName(id: string): string {
  if (PLAIN.test(id) && !DEVICE.test(id)) return id;
  const readable = id.slice(0, 40).replaceAll(/[^A-Za-z0-9-]/g, "_");
  return `${readable}.${createHash("sha256").update(id).digest("hex").slice(0, 40)}`;
}

/** The name of a file as its sender wrote it, without folders and what file systems refuse; `""` where nothing is left. */
export function safeFileName(name: string): string {
  const [base = ""] = name.split(/[/\\]/).slice(-1);
  const clean = base
    .normalize("NFC")
    // eslint-disable-next-line no-control-regex -- these are what must go
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, "_")
    .replace(/^[.\s]+/, "")
    .replace(/[.\s]+$/, "");
  const safe = DEVICE.test(clean) ? `_${clean}` : clean;
  const [stem, ending] = split(safe);
  return cut(stem, MAX_BYTES - Buffer.byteLength(ending)) + ending;
}

/** A name that is not taken yet, on file systems of either kind: `report.pdf`, `report-2.pdf`, … */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const [stem, ending] = split(name);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!taken.has(free.toLowerCase())) return free;
  }
}

/** Longest name of a file, in bytes; file systems take 255, and temporary names are longer. */
const MAX_BYTES = 150;

function split(name: string): readonly [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= 20 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}

function cut(text: string, bytes: number): string {
  let kept = "";
  let length = 0;
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    kept += character;
  }
  return kept;
}
