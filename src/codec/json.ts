import type { JsonObject } from "../descriptor.js";

/** An object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is JSON of at most `levels` levels: no cycle, no `1e999`, nothing that is no data. */
export function isJson(value: unknown, levels: number): boolean {
  if (typeof value === "object") {
    if (value === null) return true;
    if (levels <= 0) return false;
    for (const item of Array.isArray(value) ? (value as unknown[]) : (Object.values(value) as unknown[])) {
      if (!isJson(item, levels - 1)) return false;
    }
    return true;
  }
  return typeof value === "number"
    ? Number.isFinite(value)
    : typeof value === "string" || typeof value === "boolean" || value === undefined;
}
