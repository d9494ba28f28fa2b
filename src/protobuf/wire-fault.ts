import { refusal, violation } from "../codec/reader.js";
import type { A2AError } from "../errors.js";

/** Which way a message goes: what is wrong with a request is its sender's fault, a reply is refused by who reads it. */
export type Direction = "request" | "reply";

/** What cannot be read or written; the frames that it passes on its way out add where it was. Never leaves this folder. */
export class WireFault extends Error {
  override readonly name = "WireFault";
  private readonly path: (string | number)[] = [];

  /** Notes one step of the path, from the inside out. */
  within(step: string | number): this {
    this.path.push(step);
    return this;
  }

  /** The error for callers: `INVALID_PARAMS` for a request, `DECODE` for a reply, with the field that was refused. */
  toError(direction: Direction): A2AError {
    const reader = {
      request: direction === "request",
      mode: undefined,
      problems: undefined,
      root: "",
      path: this.path.toReversed(),
    };
    return refusal(reader, [violation(reader, this.message)]);
  }
}

/** Runs what may meet a fault, and hands the fault on as the error that callers know. */
export function withErrors<T>(direction: Direction, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof WireFault ? error.toError(direction) : error;
  }
}

/** Hands a fault on with one step more of its path; any other error as it is. */
export function at(step: string | number, error: unknown): unknown {
  return error instanceof WireFault ? error.within(step) : error;
}

/** The fault of a value that is of another kind. */
export const unexpected = (expected: string, found: unknown): WireFault =>
  new WireFault(`expected ${expected}, found ${kindOf(found)}`);

/** What a value is, never the value itself. */
const kindOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "an object"
        : `a ${typeof value}`;
