import type { Rule, ServiceDescriptor, Table } from "../descriptor.js";
import { memberOf } from "../codec/json.js";

/** One version: its service and its decoding tables. */
export interface LineTables {
  readonly service: ServiceDescriptor;
  readonly tables: Readonly<Record<string, Table<unknown>>>;
}

/** The table of a type expression of a hop: `Task`, `AgentCard.security[]`, `CancelTask:output`; undefined where there is none. */
export function tableAt({ service, tables }: LineTables, expression: string): Rule | undefined {
  const [, operation, side] = /^(\w+):(input|output)$/.exec(expression) ?? [];
  if (operation !== undefined) {
    const method = Object.values(service.methods).find(({ name }) => name === operation);
    return side === "input" ? method?.input : method?.output;
  }
  // Of a variant, `Part(text)`, the table is that of the whole.
  const [, name = "", steps = ""] = /^(\w+)(?:\([\w,]*\))?(.*)$/.exec(expression) ?? [];
  let rule: Rule | undefined = memberOf(tables, name);
  for (const [step] of steps.matchAll(/\.\w+|\[\]|\{\}/g)) {
    if (rule?.is === "object") rule = memberOf(rule.fields, step.slice(1));
    else if (rule?.is === "list" || rule?.is === "map") rule = rule.of;
    else return undefined;
  }
  return rule;
}
