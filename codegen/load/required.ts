import { step } from "./dialects/raw.js";
import { InputFault } from "./fault.js";

/** Refuses a `required` that names no property of the object at `pointer`: a slip, or a property that was lost. */
export function refuseUnknownRequired(
  required: readonly string[],
  properties: object,
  pointer: string,
): void {
  const index = required.findIndex((name) => !Object.hasOwn(properties, name));
  if (index === -1) return;
  throw new InputFault(
    `requires ${required[index] ?? ""}, which is not among the properties`,
    step(step(pointer, "required"), index),
    "add the property, or take the name out",
  );
}
