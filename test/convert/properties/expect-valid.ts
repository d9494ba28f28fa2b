import { decode } from "../../../src/codec/decode.js";
import type { Rule } from "../../../src/descriptor.js";
import { A2AError } from "../../../src/errors.js";
import { valueAt } from "./refusals.js";
import { guards, tables } from "./versions.js";

/** A converted value, and what it should be. */
export interface Target {
  readonly type: string;
  readonly to: string;
  readonly target: Rule;
  readonly direction: "request" | "reply";
}

/**
 * Fails unless the table takes the value as it is, and the validator of the type accepts it. What the version mapping
 * writes where the other version says nothing is legal in the schema, but our tables ask for more: then it returns false.
 */
export function expectValid({ type, to, target, direction }: Target, value: unknown): boolean {
  const name = Object.entries(tables[to] ?? {}).find(([, table]) => table === target)?.[0] ?? type;
  const guard = guards[to]?.[`is${name}`];
  try {
    if (decode(target, value, { direction, keepZero: true }) !== value)
      throw new Error("The value is not canonical");
    if (guard !== undefined && !guard(value)) throw new Error(JSON.stringify(guard.errors));
    return true;
  } catch (error) {
    const violations = error instanceof A2AError ? error.violations : undefined;
    if (violations?.every(({ pointer }) => isWanted(type, to, value, pointer))) return false;
    throw new Error(`${JSON.stringify(value)} is no ${name} of ${to}`, { cause: error });
  }
}

function isWanted(type: string, to: string, value: unknown, pointer: string): boolean {
  // 2.12: legacy readers take an empty id for none, and the server adapter finds the configuration that is meant.
  if (/\/taskId$/.test(pointer)) return to !== "1.0" && valueAt(value, pointer) === "";
  if (pointer === "/id") return to === "1.0" && type === "GetTaskPushNotificationConfigRequest";
  // 2.2: passed on where an agent said it.
  if (/\/parts$/.test(pointer)) return to === "1.0" && (valueAt(value, pointer) as unknown[]).length === 0;
  return false;
}
