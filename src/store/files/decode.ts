/** What is read of a file is checked member by member; a part that is not as it should be throws. */
export class Damaged extends Error {
  override name = "Damaged";
}

/** An object, to look its members up. */
export type Members = Readonly<Record<string, unknown>>;

export function members(value: unknown): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw new Damaged("an object is missing");
}

export function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Damaged("a text is missing");
}

export function number(value: unknown): number {
  if (typeof value === "number") return value;
  throw new Damaged("a number is missing");
}

/** A list of what `each` decodes; absent is empty. */
export function list<T>(value: unknown, each: (item: Members) => T): T[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((item) => each(members(item)));
  throw new Damaged("a list is missing");
}

/** `each` of a value that may be absent. */
export const optional = <T>(value: unknown, each: (value: unknown) => T): T | undefined =>
  value === undefined || value === null ? undefined : each(value);
