import { InputFault } from "../fault.js";
import type { Raw } from "./dialect.js";

/** True for a JSON object. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object, else a fault that names the place. */
export function asRaw(value: unknown, pointer: string): Raw {
  if (!isRaw(value)) throw new InputFault("expected an object", pointer);
  return value;
}

/** The value as a list, else a fault that names the place. */
export function asList(value: unknown, pointer: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new InputFault("expected an array", pointer);
  return value;
}

/** The value as a list of strings, else a fault that names the place. */
export function asStrings(value: unknown, pointer: string): readonly string[] {
  return asList(value, pointer).map((item) => {
    if (typeof item !== "string") throw new InputFault("expected an array of strings", pointer);
    return item;
  });
}

/** One step of a JSON pointer. */
export function step(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}
