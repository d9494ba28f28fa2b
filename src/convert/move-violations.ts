import { violation } from "../codec/reader.js";
import { A2AError } from "../errors.js";
import { readerAt, stepsOf } from "./context.js";

/**
 * A refusal with its places named as they are elsewhere: `placeOf` gives the pointer there for a pointer here. The message
 * names the fields of the violations, so it changes with them.
 */
export function moveViolations(error: A2AError, placeOf: (pointer: string) => string): A2AError {
  const { violations } = error;
  if (violations === undefined) return error;
  const moved = violations.map(({ pointer, description }) => {
    const steps = stepsOf(placeOf(pointer));
    return violation(readerAt(steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))), description);
  });
  const message = violations.reduce(
    (text, { field }, i) => (field === "" ? text : text.replace(field, () => moved[i]?.field ?? field)),
    error.message,
  );
  const { reason, code, status, data, metadata, headers, cause } = error;
  return new A2AError(reason, message, { code, status, data, metadata, headers, cause, violations: moved });
}
