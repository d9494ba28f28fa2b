import type { ObjectRule, Rule } from "../descriptor.js";
import { fieldsOf } from "./object.js";

const known = new WeakMap<ObjectRule, Map<string, readonly string[]>>();

/** Every spelling of a field, its own name included: `contextId`, `context_id`. */
export function spellingsOf(table: Rule, name: string): readonly string[] {
  if (table.is !== "object") return [];
  let byName = known.get(table);
  if (byName === undefined) known.set(table, (byName = new Map<string, readonly string[]>()));
  let spellings = byName.get(name);
  // A table has few fields, and names come from routes: what is kept is bounded.
  if (spellings === undefined) {
    spellings = [...fieldsOf(table)].flatMap(([spelling, field]) => (field.name === name ? [spelling] : []));
    byName.set(name, spellings);
  }
  return spellings;
}

/** Whether a message has a member that may be spelled so. */
export const hasMember = (table: Rule, spelling: string): boolean =>
  table.is === "object" && fieldsOf(table).has(spelling);
