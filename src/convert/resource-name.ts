/**
 * An id as one segment of a resource name: a slash of its own is encoded, as it is in a URL path, and so is what would be
 * taken for one. No id is an empty one.
 */
export const toSegment = (id: unknown): string =>
  typeof id === "string" ? id.replace(/%(?=(?:25)*2F)/gi, "%25").replaceAll("/", "%2F") : "";

/** The id that a segment stands for. */
export const fromSegment = (segment: string): string =>
  segment.replace(/%(25)*2F/gi, (found) => (found.length === 3 ? "/" : `%${found.slice(3)}`));

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
