import type { FilePart, Part } from "./a2a-types.js";
import type { DataPartForLLM, FilePartForLLM, PartForLLM, TextPartForLLM } from "./llm-types.js";

/** What becomes of the content of parts, and where their files are. */
export interface PartsForLLMOptions {
  /** What a model sees of the text of all text parts together. */
  text(text: string): Omit<TextPartForLLM, "kind">;
  /** What a model sees of the data of one part. */
  data(data: unknown): unknown;
  /** Where the files were saved; undefined or empty where they were not. */
  readonly savedTo: readonly string[] | undefined;
}

/** Parts for a model: all text as one part, then data, then files without their bytes. */
export function partsForLLM(parts: readonly Part[], options: PartsForLLMOptions): readonly PartForLLM[] {
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const text: TextPartForLLM[] =
    texts.length === 0 ? [] : [{ kind: "text", ...options.text(texts.join("")) }];
  const data = parts.flatMap((part): DataPartForLLM[] =>
    part.kind === "data" ? [{ kind: "data", data: options.data(part.data) }] : [],
  );
  const files = parts.flatMap((part) => (part.kind === "file" ? [fileForLLM(part, options.savedTo)] : []));
  return [...text, ...data, ...files];
}

function fileForLLM({ file }: FilePart, savedTo: readonly string[] | undefined): FilePartForLLM {
  const saved = savedTo !== undefined && savedTo.length > 0 ? { _saved_to: savedTo } : undefined;
  const described = { kind: "file", name: file.name ?? null, mimeType: file.mimeType ?? null } as const;
  if (file.uri !== undefined) return { ...described, uri: saved ?? file.uri, bytes: null };
  return { ...described, uri: null, bytes: saved ?? { _error: NOT_SAVED } };
}

const NOT_SAVED =
  "The file was not saved: the session has no file store, so that its bytes cannot be reached";
