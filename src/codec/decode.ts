import type { Table } from "../descriptor.js";
import { A2AError, type Violation } from "../errors.js";
import { readRule } from "./read.js";
import { ABSENT, type Problem, type Reader, Refusal, refuse } from "./refusal.js";

export type { Problem } from "./refusal.js";

/** How a value is decoded. */
export interface DecodeOptions {
  /** `request`: unknown fields are dropped, unknown enum names refused. `reply`: both are kept. */
  readonly direction: "request" | "reply";
  /** `strict` (default): the leniency of ProtoJSON only. `tolerant`: also what other generations and sloppy peers write. */
  readonly mode?: "strict" | "tolerant";
  /** Gets one entry for each use of a leniency, and for each unknown field that was dropped. */
  readonly problems?: Problem[];
  /** Put before the field names in messages; default none. */
  readonly root?: string;
}

/**
 * Checks a value against a table and brings it to its canonical form in one pass. A canonical value is returned as it
 * came; of another, only what changes is copied.
 *
 * Throws `INVALID_PARAMS` (-32602) for a request, `DECODE` for a reply, both with `violations`; a reply whose payload
 * is not exactly one member is `INVALID_AGENT_RESPONSE` (-32006), with `data: { unknownOnly: […names] }` where it has
 * unknown members only.
 */
export function decode<T>(table: Table<T>, value: unknown, options: DecodeOptions): T {
  const reader: Reader = {
    request: options.direction === "request",
    tolerant: options.mode === "tolerant",
    problems: options.problems,
    root: options.root ?? "",
    path: [],
  };
  try {
    const read = readRule(table, value, reader);
    if (read === ABSENT) refuse(reader, "must not be empty");
    // The table was interpreted in full: the value has the shape that its type parameter states.
    return read as T;
  } catch (error) {
    if (error instanceof Refusal) throw errorOf(error, reader);
    throw error;
  }
}

/** The same without a throw, for `validate`: the canonical value, or what is wrong with it. */
export function check<T>(
  table: Table<T>,
  value: unknown,
  options: DecodeOptions,
): { readonly value: T } | { readonly violations: readonly Violation[] } {
  try {
    return { value: decode(table, value, options) };
  } catch (error) {
    if (error instanceof A2AError && error.violations !== undefined) return { violations: error.violations };
    throw error;
  }
}

function errorOf({ violations, depth, unknown }: Refusal, reader: Reader): A2AError {
  const message = violations
    .map(({ field, description }) => (field === "" ? description : `${field}: ${description}`))
    .join("; ");
  if (reader.request) return new A2AError("INVALID_PARAMS", message, { code: -32602, violations });
  if (unknown === undefined || depth > 0) return new A2AError("DECODE", message, { violations });
  return new A2AError("INVALID_AGENT_RESPONSE", message, {
    code: -32006,
    violations,
    ...(unknown.length > 0 && { data: { unknownOnly: unknown } }),
  });
}
