import { decode, type DecodeOptions, type Problem } from "../../src/codec/decode.js";
import { tolerant as leniency } from "../../src/codec/tolerant.js";
import type { Table } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";

/** Names of the modes, as the vectors have them. */
export type Mode = "strict" | "tolerant";

/** The option of a mode. */
export const modeOf = (mode: Mode): DecodeOptions["mode"] => (mode === "tolerant" ? leniency : undefined);

/** Decodes a request in strict mode, or as told. */
export function request(table: Table<unknown>, value: unknown, mode: Mode = "strict"): unknown {
  return decode(table, value, { direction: "request", mode: modeOf(mode) });
}

/** Decodes a reply in strict mode, or as told. */
export function reply(table: Table<unknown>, value: unknown, mode: Mode = "strict"): unknown {
  return decode(table, value, { direction: "reply", mode: modeOf(mode) });
}

/** What a tolerant decode makes of a value, and the codes of what it reports. */
export function tolerant(
  table: Table<unknown>,
  value: unknown,
  direction: DecodeOptions["direction"] = "reply",
): { readonly value: unknown; readonly problems: readonly string[] } {
  const problems: Problem[] = [];
  const read = decode(table, value, { direction, mode: leniency, problems });
  return { value: read, problems: problems.map(({ pointer, code }) => `${pointer} ${code}`) };
}

/** The error that a call throws; fails where it throws none, or another kind. */
export function errorOf(run: () => unknown): A2AError {
  try {
    run();
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** The violations of a refused request, as `field: description`. */
export function violations(table: Table<unknown>, value: unknown, mode: Mode = "strict"): readonly string[] {
  const error = errorOf(() => request(table, value, mode));
  return (error.violations ?? []).map(({ field, description }) => `${field}: ${description}`);
}
