import { fromSegment } from "../codec/name-segment.js";

/**
 * The ids in a resource name, in the order of the variables of its pattern; empty ones are none. Only the first collection
 * must have its name (`tasks`): the one within it was called `pushNotifications` until 0.2.4. Undefined for another name.
 */
export function idsIn(name: string, pattern: string): readonly (string | undefined)[] | undefined {
  const [collection, ...wanted] = pattern.split("/");
  const [first, ...parts] = name.split("/");
  if (first !== collection || parts.length > wanted.length) return undefined;
  const isId = (index: number): boolean => wanted[index]?.startsWith("{") === true;
  if (parts.some((part, index) => !isId(index) && !/^\w+$/.test(part))) return undefined;
  return wanted.flatMap((_, index) =>
    isId(index) ? [parts[index] ? fromSegment(parts[index]) : undefined] : [],
  );
}
