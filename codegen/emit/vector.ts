import type { JsonValue } from "../ir/types.js";
import type { Sampler } from "./sample.js";

/** A value and whether it is an instance of the type whose file it is in. */
export interface Vector {
  /** Rule and place: `required/messageId`. The rule is what stands before the slash. */
  readonly id: string;
  readonly valid: boolean;
  readonly value: JsonValue;
  /** The member it is about, as in error messages. */
  readonly field?: string;
  readonly why: string;
  /** Where it holds; everywhere if absent. Elsewhere the opposite holds, for the reason given. */
  readonly layers?: readonly Layer[];
}

/** `table`: decoding of a request. `schema`: ajv and zod, which know only the canonical form. */
export type Layer = "table" | "schema";

/** Leniency of ProtoJSON and rules between spellings: the table has them, a schema of the canonical form cannot. */
export const TABLE: readonly Layer[] = ["table"];

/** What one rule says of one value. */
export interface Case {
  readonly rule: string;
  readonly valid: boolean;
  readonly value: JsonValue;
  readonly why: string;
  /** Below the place of the writer. */
  readonly at?: string;
  readonly layers?: readonly Layer[];
}

/** Collects cases of one type; `place` puts a value where the writer stands, into an otherwise minimal instance. */
export interface Writer {
  readonly sampler: Sampler;
  readonly add: (item: Case) => void;
  /** A writer further in. */
  readonly within: (name: string, place: (value: JsonValue) => JsonValue) => Writer;
}

/** A writer at the top of a type; what it collects is in `vectors`. */
export function createWriter(sampler: Sampler): Writer & { readonly vectors: Vector[] } {
  const vectors: Vector[] = [];
  const counts = new Map<string, number>();
  const at = (path: string, place: (value: JsonValue) => JsonValue): Writer => ({
    sampler,
    add({ rule, valid, value, why, at: below = "", layers }) {
      const field = join(path, below);
      const id = `${rule}/${field === "" ? "-" : field}`;
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      vectors.push({
        id: count === 1 ? id : `${id}#${String(count)}`,
        valid,
        value: place(value),
        ...(field === "" ? {} : { field }),
        why,
        ...(layers === undefined ? {} : { layers }),
      });
    },
    within: (name, inner) => at(join(path, name), (value) => place(inner(value))),
  });
  return { ...at("", (value) => value), vectors };
}

const join = (path: string, name: string): string =>
  path === "" || name === "" || name.startsWith("[") ? path + name : `${path}.${name}`;
