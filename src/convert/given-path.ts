import { pointerOf, stepsOf } from "./context.js";
import { isObject } from "../codec/json.js";

/** A pointer with the names that the value given has: `/context_id` for `/contextId`. */
export function givenPath(given: unknown, pointer: string): string {
  let value = given;
  const steps = stepsOf(pointer).map((step) => {
    const name = isObject(value) ? spellingIn(value, step) : step;
    value =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return name;
  });
  return pointerOf(steps);
}

/** The names of protobuf are read as well as those of JSON. */
function spellingIn(object: object, name: string): string {
  if (Object.hasOwn(object, name)) return name;
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(object, snake) ? snake : name;
}
