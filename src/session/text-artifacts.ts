import { A2AError } from "../errors.js";
import { DEFAULT_LIMIT } from "./artifact-settings.js";
import { grouped } from "./grouped.js";
import type { TextPartForLLM } from "./llm-types.js";
import { headOf, tailOf } from "./text-edges.js";

/** Which part of a text to view. Lines or characters, not both. */
export interface TextViewOptions {
  /** From 1; from the end where negative. */
  readonly lineStart?: number | null | undefined;
  /** From 1, included; from the end where negative. */
  readonly lineEnd?: number | null | undefined;
  /** From 0; from the end where negative. */
  readonly characterStart?: number | null | undefined;
  /** From 0, not included; from the end where negative. */
  readonly characterEnd?: number | null | undefined;
  /** Most that may come out; default 50,000. */
  readonly characterLimit?: number | undefined;
}

/** How to minimize a text. */
export interface TextMinimizeOptions {
  /** A text of at most this length stays as it is; default 50,000. */
  readonly characterLimit?: number | undefined;
  /** What to do about it, for the reader; default none. */
  readonly tip?: string | null | undefined;
}

/** A text for a model, whole or its two ends. */
export type MinimizedText = Omit<TextPartForLLM, "kind">;

/** Texts of artifacts: a part of one, or its two ends. */
export const TextArtifacts = { view, minimize } as const;

/**
 * A range of lines or of characters. Throws `INVALID_PARAMS` for a range that is not there, for both kinds at once, and
 * where more than the limit would come out.
 */
function view(text: string, options: TextViewOptions = {}): string {
  const { characterLimit = DEFAULT_LIMIT } = options;
  const selected = select(text, options);
  if (selected.length <= characterLimit) return selected;
  throw new A2AError(
    "INVALID_PARAMS",
    `The selected text has ${grouped(selected.length)} characters, more than the limit of ${grouped(characterLimit)}: select a smaller range`,
  );
}

function select(text: string, options: TextViewOptions): string {
  const lineStart = options.lineStart ?? undefined;
  const lineEnd = options.lineEnd ?? undefined;
  const start = options.characterStart ?? undefined;
  const end = options.characterEnd ?? undefined;
  const byLine = lineStart !== undefined || lineEnd !== undefined;
  const byCharacter = start !== undefined || end !== undefined;
  if (byLine && byCharacter) {
    throw new A2AError("INVALID_PARAMS", "Select by lines or by characters, not by both");
  }
  if (byCharacter) return text.slice(start ?? 0, end);
  if (!byLine) return text;
  const lines = text.split("\n");
  const first = line(lineStart ?? 1, lines.length);
  const last = line(lineEnd ?? lines.length, lines.length);
  if (first < 1 || last > lines.length || first > last) {
    throw new A2AError(
      "INVALID_PARAMS",
      `There are no lines ${first}-${last}: the text has lines 1-${lines.length}`,
    );
  }
  return lines.slice(first - 1, last).join("\n");
}

const line = (number: number, total: number): number => (number < 0 ? total + number + 1 : number);

/** A text within the limit as it is, a longer one as its two ends, with numbers that say what they are of. */
function minimize(
  text: string,
  { characterLimit = DEFAULT_LIMIT, tip }: TextMinimizeOptions = {},
): MinimizedText {
  if (text.length <= characterLimit) return { text };
  const half = Math.floor(characterLimit / 2);
  const head = headOf(text, half);
  const tail = half === 0 ? "" : tailOf(text, half);
  const lines = text.split("\n").length;
  const headLines = head.split("\n").length;
  const tailLines = tail.split("\n").length;
  const omitted = text.length - head.length - tail.length;
  return {
    text: `${head}\n\n[... ${grouped(omitted)} characters omitted ...]\n\n${tail}`,
    _total_lines: lines,
    _total_characters: text.length,
    _start_line_range: `1-${headLines}`,
    _end_line_range: `${lines - tailLines + 1}-${lines}`,
    _start_character_range: `0-${head.length}`,
    _end_character_range: `${text.length - tail.length}-${text.length}`,
    ...(typeof tip === "string" && { _tip: tip }),
  };
}
