import { check } from "../../codec/check.js";
import type { Problem } from "../../codec/decode.js";
import { tolerant } from "../../codec/tolerant.js";
import type { Rule } from "../../descriptor.js";
import type { Violation } from "../../errors.js";
import type { Findings } from "./findings.js";

/**
 * Reads one object of a card by itself, so that what is wrong with it costs nothing else: undefined where it cannot be
 * read, with a report that says why and what was done (`outcome`).
 */
export function decodePart<T>(
  rule: Rule,
  value: T,
  pointer: string,
  findings: Findings,
  outcome = "left out",
): T | undefined {
  return decodeOr(rule, value, pointer, findings, (violations) => {
    const said = violations.map(({ field, description }) =>
      field === "" ? description : `${field}: ${description}`,
    );
    findings.lenient(pointer, "unreadable", `${said.join("; ")}; ${outcome}`);
    return undefined;
  });
}

/** As `decodePart`, for something that cannot be left out: `otherwise` gets the violations. */
export function decodeOr<T, E>(
  rule: Rule,
  value: T,
  pointer: string,
  findings: Findings,
  otherwise: (violations: readonly Violation[]) => E,
): T | E {
  const problems: Problem[] = [];
  const result = check<unknown>(rule, value, { direction: "reply", mode: tolerant, problems });
  if ("violations" in result) return otherwise(result.violations);
  for (const problem of problems) findings.lenient(pointer + problem.pointer, problem.code, problem.message);
  // Decoding keeps the kind of a value.
  return result.value as T;
}
