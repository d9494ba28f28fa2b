import type { JsonObject, Rule } from "../descriptor.js";
import { ABSENT } from "./reader.js";

/** An object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members that have a value. Entries, unlike assignments, keep a member named `__proto__` harmless. */
export function withoutAbsent(object: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== ABSENT)) as JsonObject;
}

/** Whether a value is JSON of at most `levels` levels: no cycle, no `1e999`, nothing that is no data. */
export function isJson(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return !/bigint|function|symbol/.test(typeof value);
  if (levels <= 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isJson(item, levels - 1)) return false;
  } else {
    for (const key in value) if (!isJson((value as JsonObject)[key], levels - 1)) return false;
  }
  return true;
}

/** A member of its own, never one that every object inherits. */
export const memberOf = <T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;

/** Whether a message has no members at all: it need not be sent, and may be answered by nothing. */
export const isEmptyMessage = (rule: Rule): boolean =>
  rule.is === "object" && Object.keys(rule.fields).length === 0;

/** Whether an operation may answer by saying nothing: its result has no members, or is `null`. */
export const isNothing = (rule: Rule): boolean => rule.is === "null" || isEmptyMessage(rule);
