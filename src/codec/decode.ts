import type { Table } from "../descriptor.js";
import { readRule } from "./read.js";
import { ABSENT, type Leniency, type Problem, type Reader, refuse } from "./reader.js";

export type { Leniency, Problem } from "./reader.js";

/** How a value is decoded. */
export interface DecodeOptions {
  /** `request`: unknown fields are dropped, unknown enum names refused. `reply`: both are kept. */
  readonly direction: "request" | "reply";
  /** `tolerant` (see there), or what ProtoJSON allows and nothing more (default). */
  readonly mode?: Leniency | undefined;
  /** Gets one entry for each use of a leniency, and for each unknown field that was dropped. */
  readonly problems?: Problem[];
  /** Put before the field names in messages; default none. */
  readonly root?: string;
  /** In a request, keeps the zero of an enum, which stands for "not set"; default false. */
  readonly keepZero?: boolean;
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
    mode: options.mode,
    problems: options.problems,
    root: options.root ?? "",
    keepZero: options.keepZero === true,
    path: [],
  };
  const read = readRule(table, value, reader);
  if (read === ABSENT) refuse(reader, "must not be empty");
  // The table was interpreted in full: the value has the shape that its type parameter states.
  return read as T;
}
