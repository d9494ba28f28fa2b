import type { JsonObject } from "../descriptor.js";

/** An object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own member, whatever its name: plain assignment of `__proto__` would change the prototype instead. */
export function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** The members of an object that stand before `key`, as the start of a copy. */
export function membersBefore(value: JsonObject, key: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const other of Object.keys(value)) {
    if (other === key) break;
    put(copy, other, value[other]);
  }
  return copy;
}

/** What keeps a free value from being JSON of at most `levels` levels, if anything does. */
export function jsonFlaw(value: unknown, levels: number): string | undefined {
  if (typeof value === "object" && value !== null) {
    if (levels <= 0) return "nested too deep";
    if (Array.isArray(value)) {
      for (const item of value) {
        const flaw = jsonFlaw(item, levels - 1);
        if (flaw !== undefined) return flaw;
      }
      return undefined;
    }
    for (const key in value) {
      const flaw = jsonFlaw((value as JsonObject)[key], levels - 1);
      if (flaw !== undefined) return flaw;
    }
    return undefined;
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a number out of range";
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    return `a ${typeof value}`;
  return undefined;
}
