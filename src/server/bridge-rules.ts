import type { Reply } from "../call.js";
import { A2AError } from "../errors.js";
import { JsonText } from "../json-text.js";
import type { CallTarget } from "./router-types.js";

/** Calls another method of the near version on behalf of the same caller. */
export type CallNear = (methodName: string, input: unknown) => Promise<Reply>;

/**
 * What a call of an older version means where the near version has no single call that says it; undefined where the call
 * is an ordinary one. `input` is converted up, but need not be complete.
 */
export type BridgeRule = (near: CallTarget, input: unknown, call: CallNear) => Promise<Reply> | undefined;

const LIST = "listTaskPushNotificationConfigs";
/** Larger than any page that is asked for in vain: what a router does not give at once comes with a token. */
const PAGE = 100;

/** By near method (version mapping 2.12). */
export const bridgeRules: ReadonlyMap<string, BridgeRule> = new Map<string, BridgeRule>([
  [
    "getTaskPushNotificationConfig",
    (near, input, call) => {
      const { taskId, id } = record(input);
      if (typeof taskId !== "string" || (id !== undefined && id !== "") || !has(near)) return undefined;
      return firstConfig(taskId, call);
    },
  ],
  [
    LIST,
    (_near, input, call) => {
      const { taskId, pageSize, pageToken } = record(input);
      // Who asks for pages gets pages.
      if (typeof taskId !== "string" || pageSize !== undefined || pageToken !== undefined) return undefined;
      return allConfigs(taskId, call);
    },
  ],
]);

/** A get without id means any configuration of the task: the first. */
async function firstConfig(taskId: string, call: CallNear): Promise<Reply> {
  const reply = await call(LIST, { taskId, pageSize: 1 });
  const [first] = pageOf(reply).configs;
  if (first === undefined) {
    throw new A2AError("TASK_NOT_FOUND", `Task ${taskId} has no push configuration`, {
      metadata: { taskId },
    });
  }
  return { stream: false, output: first, headers: reply.headers };
}

/** A list without pages: all of them. */
async function allConfigs(taskId: string, call: CallNear): Promise<Reply> {
  const configs: unknown[] = [];
  let pageToken: string | undefined;
  for (;;) {
    const reply = await call(LIST, {
      taskId,
      pageSize: PAGE,
      ...(pageToken !== undefined && { pageToken }),
    });
    const page = pageOf(reply);
    configs.push(...page.configs);
    // The same token again would never end.
    if (page.next === "" || page.next === pageToken) {
      return { stream: false, output: { configs }, headers: reply.headers };
    }
    pageToken = page.next;
  }
}

function pageOf({ output }: Reply): { readonly configs: readonly unknown[]; readonly next: string } {
  const { configs, nextPageToken } = record(output instanceof JsonText ? output.value() : output);
  return {
    configs: Array.isArray(configs) ? configs : [],
    next: typeof nextPageToken === "string" ? nextPageToken : "",
  };
}

const has = ({ service }: CallTarget): boolean => Object.hasOwn(service.methods, LIST);

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
