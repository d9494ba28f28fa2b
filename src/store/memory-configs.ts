import type { MemoryData } from "./memory-data.js";
import { decodePageToken, encodePageToken } from "./page-token.js";
import type { TaskStore } from "./types.js";

/** Webhook registrations of a memory store. */
export const memoryConfigs = (data: MemoryData): TaskStore["configs"] => ({
  put(scope, taskId, config) {
    const record = data.find(scope, taskId);
    record?.config(config);
    return record !== undefined;
  },
  get: (scope, taskId, id) => data.find(scope, taskId)?.configs?.get(id),
  list(scope, taskId, { pageSize, pageToken }) {
    const all = [...(data.find(scope, taskId)?.configs?.values() ?? [])];
    const made = ["configs", scope.tenant, scope.owner, taskId];
    const [after] = pageToken === undefined || pageToken === "" ? [] : decodePageToken(pageToken, made, 1);
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const configs = all.slice(from, from + pageSize);
    const last = configs.at(-1);
    const more = last !== undefined && from + pageSize < all.length;
    return { configs, nextPageToken: more ? encodePageToken([last.id], made) : "" };
  },
  delete(scope, taskId, id) {
    const record = data.find(scope, taskId);
    record?.outbox?.delete(id);
    return record?.configs?.delete(id) ?? false;
  },
});
