import type { Table } from "../descriptor.js";
import { A2AError, type Violation } from "../errors.js";
import { decode, type DecodeOptions } from "./decode.js";

/** `decode` without a throw, for `validate`: the canonical value, or what is wrong with the one given. */
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
