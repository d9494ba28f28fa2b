import { quote } from "../../codec/reader.js";
import { type Ctx, refuse } from "../context.js";
import type { Hook } from "../hook.js";
import { readPath, writePath } from "../paths.js";
import { toSegment } from "../../codec/name-segment.js";
import { idsIn } from "../resource-name.js";

/** The id of a webhook configuration, which stands within it and in its resource name. */
const ID = "pushNotificationConfig.id";
const PATTERN = "tasks/{taskId}/pushNotificationConfigs/{id}";

/** `tasks/{id}/pushNotificationConfigs/{id}` in the ProtoJSON of 0.x; in the JSON, the id of the task. */
export const configName: Hook = {
  up(value, inner, ctx) {
    const out = inner(value, ctx) as Record<string, unknown>;
    const [taskId = "", id] = readConfigName(value, "name", ctx);
    addConfigId(out, id);
    return { taskId, ...out };
  },
  down: (value, inner, ctx) => ({ name: writeConfigName(value), ...(inner(value, ctx) as object) }),
};

/** The resource name of a configuration in the JSON; without an id of its own it ends in a slash. */
export function writeConfigName(config: unknown): string {
  const [task, id] = [readPath(config, "taskId"), readPath(config, ID)].map(toSegment);
  return `tasks/${task ?? ""}/pushNotificationConfigs/${id ?? ""}`;
}

/** The ids of task and configuration in the resource name at a path; both may be missing. */
export function readConfigName(value: unknown, path: string, ctx: Ctx): readonly (string | undefined)[] {
  const name = readPath(value, path) ?? "";
  if (name === "") return [];
  const ids = typeof name === "string" ? idsIn(name, PATTERN) : undefined;
  if (ids !== undefined) return ids;
  ctx.path.push(...path.split("."));
  return refuse(ctx, `expected ${PATTERN}, found ${quote(name)}`);
}

/** Gives a configuration the id from its resource name, unless it has one itself. */
export function addConfigId(out: Record<string, unknown>, id: string | undefined): void {
  if (id !== undefined && (readPath(out, ID) ?? "") === "") writePath(out, ID, id);
}
