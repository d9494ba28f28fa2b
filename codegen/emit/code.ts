/** Pieces of TypeScript text: everything that comes from a schema is quoted here and nowhere else. */

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A string literal. */
export const quote = (value: string): string =>
  JSON.stringify(value).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);

/** A property key: bare where it is an identifier; `__proto__` is computed, since a plain one would set the prototype. */
export const key = (name: string): string =>
  name === "__proto__" ? '["__proto__"]' : IDENTIFIER.test(name) ? name : quote(name);

/** A property access: `TaskState.COMPLETED`, `In["x-y"]`. */
export const member = (object: string, name: string): string =>
  IDENTIFIER.test(name) ? `${object}.${name}` : `${object}[${quote(name)}]`;

/** JSON data as a literal; members that are `undefined` are left out. */
export function literal(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return object(
      Object.entries(value).map(([name, item]) => [name, item === undefined ? undefined : literal(item)]),
    );
  return JSON.stringify(value);
}

/** An object literal of pieces of code; members without code are left out. */
export function object(members: Iterable<readonly [name: string, code: string | undefined]>): string {
  const lines = [...members].flatMap(([name, code]) =>
    code === undefined ? [] : [name === code ? name : `${key(name)}: ${code}`],
  );
  return lines.length === 0 ? "{}" : `{ ${lines.join(", ")} }`;
}
