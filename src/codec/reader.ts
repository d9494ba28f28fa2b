import type { JsonObject, Rule } from "../descriptor.js";
import { A2AError, type Violation } from "../errors.js";
import { isObject } from "./json.js";

/** One use of a leniency: where, a stable code (`legacy_name`, `unknown_field`, …), and what was made of it. */
export interface Problem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A mode of reading: makes of a value what the rule can read, and reports what it changed. */
export type Leniency = (rule: Rule, value: unknown, reader: Reader) => unknown;

/** What one decode carries along. `path` is where it stands: a stack, so that no path is built before it is needed. */
export interface Reader {
  readonly request: boolean;
  readonly mode: Leniency | undefined;
  readonly problems: Problem[] | undefined;
  readonly root: string;
  /** The zero of an enum is a value in a request, too. */
  readonly keepZero?: boolean;
  readonly path: (string | number)[];
  /** What kind of value was expected, where one of another kind was refused last. */
  expected?: string | undefined;
  /** Set by a mode that keeps an empty list where one element is due. */
  keepsEmpty?: true;
}

/** Levels of nesting that are read; deeper values are refused. */
export const MAX_DEPTH = 100;

/** Stands for "no value": `""` where it means absent or is refused, an empty list where one element is due. */
export const ABSENT: unique symbol = Symbol("absent");

/** Refuses the value where the reader stands. */
export function refuse(reader: Reader, description: string): never {
  throw refusal(reader, [violation(reader, description)]);
}

/** Refuses with `expected a string, found a number`. */
export function mismatch(reader: Reader, expected: string, found: unknown): never {
  const error = refusal(reader, [violation(reader, `expected ${expected}, found ${kindOf(found)}`)]);
  reader.expected = expected;
  throw error;
}

/** The value, where it is an object. */
export function objectOf(value: unknown, reader: Reader): JsonObject {
  return isObject(value) ? value : mismatch(reader, "an object", value);
}

/** The error for what was refused; `unknown` are the unknown members that stand where a oneof has none, or several. */
export function refusal(
  reader: Reader,
  violations: readonly Violation[],
  unknown?: readonly string[],
): A2AError {
  reader.expected = undefined;
  const message = violations
    .map(({ field, description }) => (field === "" ? description : `${field}: ${description}`))
    .join("; ");
  if (reader.request) return new A2AError("INVALID_PARAMS", message, { code: -32602, violations });
  if (unknown === undefined || reader.path.length > 0) return new A2AError("DECODE", message, { violations });
  const data = unknown.length > 0 ? { unknownOnly: unknown } : undefined;
  return new A2AError("INVALID_AGENT_RESPONSE", message, { code: -32006, violations, data });
}

/** A violation where the reader stands. */
export function violation(reader: Reader, description: string): Violation {
  let field = reader.root;
  let pointer = "";
  for (const step of reader.path) {
    pointer += `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof step === "number" || !/^[\w$-]{1,64}$/.test(step)) field += `[${quote(step)}]`;
    else field += field === "" ? step : `.${step}`;
  }
  return { field, pointer, description };
}

/** Reports a leniency where the reader stands: its code, and what was made of the value. */
export function report(reader: Reader, code: string, outcome: string): void {
  const { pointer } = violation(reader, "");
  reader.problems?.push({ pointer, code, message: `${code.replace("_", " ")}, ${outcome}` });
}

/** Numbers as they are, text in quotes and at most 40 characters of it; of other values only the kind. */
export function quote(value: unknown): string {
  if (typeof value === "string" && value !== "") {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value);
  }
  return typeof value === "number" ? String(value) : kindOf(value);
}

/** What a value is, never the value itself. */
function kindOf(value: unknown): string {
  if (value == null) return value === null ? "null" : "nothing";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return value.length > 0 ? "a list" : "an empty list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " or $1");
}
