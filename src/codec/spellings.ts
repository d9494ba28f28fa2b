import type { Rule } from "../descriptor.js";
import { fieldsOf } from "./object.js";

/** Every spelling of a field, its own name included: `contextId`, `context_id`. */
export function spellingsOf(table: Rule, name: string): readonly string[] {
  if (table.is !== "object") return [];
  return [...fieldsOf(table)].flatMap(([spelling, field]) => (field.name === name ? [spelling] : []));
}

/** Whether a message has a member that may be spelled so. */
export const hasMember = (table: Rule, spelling: string): boolean =>
  table.is === "object" && fieldsOf(table).has(spelling);
