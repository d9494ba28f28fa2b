import { isObject } from "../codec/json.js";
import type { JsonObject, Rule } from "../descriptor.js";

/**
 * A result as its rule has it, where peers are known to write another one: `null`, `{}` or nothing after a deletion, and
 * for a list the object that a later version wraps it in, or nothing for an empty one.
 */
export function withResult(raw: unknown, rule: Rule): unknown {
  if (rule.is === "null") return isObject(raw) && Object.keys(raw).length === 0 ? null : (raw ?? null);
  if (rule.is !== "list" || Array.isArray(raw)) return raw;
  if (isObject(raw) && Array.isArray(raw["configs"])) return raw["configs"];
  return raw ?? [];
}

/** Of a task or an event: the value with the `contextId` that early agents of 0.x leave out (version mapping 2.5); else undefined. */
export function withContext(raw: unknown, rule: Rule): JsonObject | undefined {
  if (!isObject(raw) || (raw["contextId"] ?? undefined) !== undefined) return undefined;
  if (!isObject(raw["status"]) && !isObject(raw["artifact"])) return undefined;
  const variants = rule.is === "tagged" ? Object.values(rule.variants) : [rule];
  const required = variants.some((of) => of.is === "object" && of.required?.includes("contextId"));
  return required ? { ...raw, contextId: "" } : undefined;
}

/** The tag of an event, where it names none of the kinds of a version. */
export function unknownKind(raw: unknown, rule: Rule): string | undefined {
  if (rule.is !== "tagged" || rule.otherwise !== undefined || !isObject(raw)) return undefined;
  const tag = raw[rule.tag];
  return typeof tag === "string" && !Object.hasOwn(rule.variants, tag) ? tag : undefined;
}

/** Data of the error for a value of which no member is known. */
export const isUnknownOnly = (data: unknown): data is { readonly unknownOnly: readonly string[] } =>
  Array.isArray((data as { unknownOnly?: unknown } | undefined)?.unknownOnly);

interface AnyEvent {
  readonly kind?: unknown;
  readonly final?: unknown;
  readonly message?: unknown;
  readonly statusUpdate?: { readonly final?: unknown };
}

/** True for a message, in the shapes of every version. */
export const isMessage = (event: unknown): boolean => {
  const { kind, message } = event as AnyEvent;
  return kind === "message" || (kind === undefined && message !== undefined);
};

/** 0.x says itself which event is the last; a message always is. */
export const isLast = (event: unknown): boolean => {
  const { final, statusUpdate } = event as AnyEvent;
  return (final ?? statusUpdate?.final) === true || isMessage(event);
};
