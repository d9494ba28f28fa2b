import type { Hook } from "../hook.js";
import { readPath, writePath } from "../paths.js";
import { toSegment } from "../../codec/name-segment.js";
import { addConfigId, readConfigName, writeConfigName } from "./config-name.js";

/** The request of the ProtoJSON of 0.x that registers a webhook: its id stands in three places, the task in two. */
export const configRequest: Hook = {
  up(value, inner, ctx) {
    const out = inner(value, ctx) as Record<string, unknown>;
    const [taskId = ""] = readConfigName(value, "parent", ctx);
    const [, named] = readConfigName(value, "config.name", ctx);
    const given = readPath(value, "configId");
    addConfigId(out, typeof given === "string" && given !== "" ? given : named);
    return { taskId, ...out };
  },
  down(value, inner, ctx) {
    const out = inner(value, ctx) as Record<string, unknown>;
    const id = readPath(value, "pushNotificationConfig.id") ?? "";
    writePath(out, "config", { name: writeConfigName(value), ...(out["config"] as object) });
    return {
      parent: `tasks/${toSegment(readPath(value, "taskId"))}`,
      ...(id !== "" && { configId: id }),
      ...out,
    };
  },
};
