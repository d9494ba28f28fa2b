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
  get: (scope, taskId, id) => data.find(scope, taskId)?.configs?.get(id)?.config,
  list(scope, taskId, { pageSize, pageToken }) {
    const all = [...(data.find(scope, taskId)?.configs?.values() ?? [])];
    const made = ["configs", scope.tenant, scope.owner, taskId];
    const [after] = pageToken === undefined || pageToken === "" ? [] : decodePageToken(pageToken, made, 1);
    const rest = after === undefined ? all : all.filter(({ seq }) => seq > Number(after));
    const page = rest.slice(0, pageSize);
    const last = page.at(-1);
    const more = last !== undefined && rest.length > pageSize;
    return {
      configs: page.map(({ config }) => config),
      nextPageToken: more ? encodePageToken([String(last.seq)], made) : "",
    };
  },
  delete(scope, taskId, id) {
    const record = data.find(scope, taskId);
    record?.outbox?.delete(id);
    return record?.configs?.delete(id) ?? false;
  },
});
