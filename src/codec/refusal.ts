import type { Violation } from "../errors.js";

/** One use of a leniency: where, a stable code (`legacy_name`, `unknown_field`, …), and what was made of it. */
export interface Problem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** What one decode carries along. `path` is where it stands: a stack, so that no path is built before it is needed. */
export interface Reader {
  readonly request: boolean;
  readonly tolerant: boolean;
  readonly problems: Problem[] | undefined;
  readonly root: string;
  readonly path: (string | number)[];
}

/** Levels of nesting that are read; deeper values are refused. */
export const MAX_DEPTH = 100;

/** Stands for "no value": `""` where it means absent or is refused, an empty list where one element is due. */
export const ABSENT: unique symbol = Symbol("absent");

/** Why a value was refused; internal to the codec, `decode` makes an `A2AError` of it. */
export class Refusal extends Error {
  readonly violations: readonly Violation[];
  /** How far the reader had come: the alternative of a union that got furthest is the one that was meant. */
  readonly depth: number;
  /** The kind of value that was expected, where it was of another. */
  readonly expected: string | undefined;
  /** Set where a required oneof has no member or several: the unknown members that stood there instead. */
  readonly unknown: readonly string[] | undefined;

  constructor(
    reader: Reader,
    violations: readonly Violation[],
    expected?: string,
    unknown?: readonly string[],
  ) {
    super();
    this.violations = violations;
    this.depth = reader.path.length;
    this.expected = expected;
    this.unknown = unknown;
  }
}

/** Refuses the value where the reader stands. */
export function refuse(reader: Reader, description: string, expected?: string): never {
  throw new Refusal(reader, [violation(reader, description)], expected);
}

/** Refuses with `expected a string, found a number`. */
export function mismatch(reader: Reader, expected: string, found: unknown): never {
  refuse(reader, `expected ${expected}, found ${kindOf(found)}`, expected);
}

/** A violation where the reader stands, or at a member of it. */
export function violation(reader: Reader, description: string, member?: string): Violation {
  let field = reader.root;
  let pointer = "";
  for (const step of member === undefined ? reader.path : [...reader.path, member]) {
    pointer += `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof step === "string" && /^[\w$-]{1,64}$/.test(step)) field += field && ".";
    field += typeof step === "string" && /^[\w$-]{1,64}$/.test(step) ? step : `[${quote(step)}]`;
  }
  return { field, pointer, description };
}

/** Reports a leniency where the reader stands, or at a member of it. */
export function report(reader: Reader, code: string, message: string, member?: string): void {
  reader.problems?.push({ pointer: violation(reader, "", member).pointer, code, message });
}

/** Text in quotes, at most 40 characters of it; numbers as they are. */
export function quote(value: string | number): string {
  return JSON.stringify(typeof value === "string" && value.length > 40 ? `${value.slice(0, 39)}…` : value);
}

/** What a value is, never the value itself. */
export function kindOf(value: unknown): string {
  if (value == null) return value === null ? "null" : "nothing";
  const kind = Array.isArray(value) ? "list" : typeof value;
  return value === "" || (kind === "list" && (value as unknown[]).length === 0)
    ? `an empty ${kind}`
    : kind === "object"
      ? "an object"
      : `a ${kind}`;
}

/** `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " or $1");
}
