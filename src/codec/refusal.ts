import type { Violation } from "../errors.js";

/** One use of a leniency: where, a stable code (`legacy_name`, `unknown_field`, …), and what was made of it. */
export interface Problem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** Everything that one decode carries along. `path` is where it stands; a stack, so nothing is built until it fails. */
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
  /** How far the reader had come; the alternative that got furthest is the one that was meant. */
  readonly depth: number;
  /** Set where a oneof has no member or several: the unknown members that stood there instead. */
  readonly unknown: readonly string[] | undefined;

  constructor(violations: readonly Violation[], depth: number, unknown?: readonly string[]) {
    super("refused");
    this.violations = violations;
    this.depth = depth;
    this.unknown = unknown;
  }
}

/** Refuses the value where the reader stands. */
export function refuse(reader: Reader, description: string): never {
  throw new Refusal([violation(reader, description)], reader.path.length);
}

/** Refuses with `expected a string, found a number`. */
export function mismatch(reader: Reader, expected: string, found: unknown): never {
  refuse(reader, `expected ${expected}, found ${kindOf(found)}`);
}

/** A violation where the reader stands, or at a member of it. */
export function violation(reader: Reader, description: string, member?: string): Violation {
  const path = member === undefined ? reader.path : [...reader.path, member];
  let field = reader.root;
  for (const step of path) {
    if (typeof step === "number") field += `[${String(step)}]`;
    else if (/^[\w$-]{1,64}$/.test(step)) field += field === "" ? step : `.${step}`;
    else field += `[${quote(step)}]`;
  }
  return { field, pointer: pointerOf(path), description };
}

/** Reports a leniency where the reader stands, or at a member of it. */
export function report(reader: Reader, code: string, message: string, member?: string): void {
  const { path, problems } = reader;
  problems?.push({ pointer: pointerOf(member === undefined ? path : [...path, member]), code, message });
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Text in quotes, at most 40 characters of it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);
}

/** What a value is, never the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "nothing";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}
