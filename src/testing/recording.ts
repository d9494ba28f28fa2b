import { A2AError, type ErrorReason } from "../errors.js";

/** One line of a recording. */
export type RecordedLine =
  /** A call begins; those that follow belong to it until the next call. */
  | { readonly call: string; readonly input: unknown }
  /** The value of a unary call. */
  | { readonly output: unknown; readonly headers: Record<string, string> }
  /** A stream begins. */
  | { readonly stream: Record<string, string> }
  /** One event; `ms` since the call. */
  | { readonly event: unknown; readonly id?: string; readonly ms: number }
  /** The stream ended. */
  | { readonly end: true; readonly ms: number }
  /** The call, or its stream, failed. */
  | { readonly error: RecordedError; readonly ms: number };

/** An error as it is recorded. */
export interface RecordedError {
  readonly reason: ErrorReason;
  readonly message: string;
  readonly code?: number;
  readonly status?: number;
  readonly data?: unknown;
}

/** Takes the lines of a recording, each with its line break. */
export type RecordingSink = (line: string) => void;

/** The JSON line of an entry. */
export const toLine = (line: RecordedLine): string => `${JSON.stringify(line)}\n`;

/** Reads JSON lines; throws `DECODE` with the number of a line that is none. */
export function readLines(text: string): RecordedLine[] {
  return text
    .split("\n")
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => {
      try {
        return JSON.parse(line) as RecordedLine;
      } catch (cause) {
        throw new A2AError("DECODE", `Line ${String(number)} of the recording is not JSON`, { cause });
      }
    });
}

/** What is recorded of a failure. */
export function recordError(error: unknown): RecordedError {
  const { reason, message, code, status, data } = A2AError.from(error);
  return {
    reason,
    message,
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
    ...(data !== undefined && { data }),
  };
}
