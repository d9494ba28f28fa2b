import type { Step } from "./chain.js";
import { compile } from "./compile.js";
import { type Ctx, pointerOf, stepsOf } from "./context.js";
import { trace } from "./trace.js";

/**
 * Where a pointer into what a chain made leads in what it was given: `/configuration/taskPushNotificationConfig/url` came
 * from `/configuration/pushNotificationConfig/url`. For errors, so it may take its time.
 */
export function originOf(steps: readonly Step[], given: unknown, pointer: string): string {
  const inputs: unknown[] = [];
  let value = given;
  for (const { rule, direction, releases } of steps) {
    inputs.push(value);
    const ctx: Ctx = { path: [], losses: undefined, options: {}, request: true, releases };
    value = compile(rule, direction)?.(value, ctx) ?? value;
  }
  let path: readonly string[] = stepsOf(pointer);
  for (const [index, { rule, direction }] of [...steps.entries()].reverse()) {
    path = trace(rule, direction, inputs[index], path);
  }
  return pointerOf(path);
}
