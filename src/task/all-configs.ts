import type { MaybePromise, Scope, StoredConfig, TaskStore } from "../store/types.js";

const PAGE = 100;

/** All webhooks of a task. */
export function allConfigs(
  store: Pick<TaskStore, "configs">,
  scope: Scope,
  taskId: string,
): MaybePromise<readonly StoredConfig[]> {
  const first = store.configs.list(scope, taskId, { pageSize: PAGE });
  if (!(first instanceof Promise) && first.nextPageToken === "") return first.configs;
  return collect(store, scope, taskId, first);
}

async function collect(
  store: Pick<TaskStore, "configs">,
  scope: Scope,
  taskId: string,
  first: ReturnType<TaskStore["configs"]["list"]>,
): Promise<readonly StoredConfig[]> {
  const all: StoredConfig[] = [];
  for (let page = await first; ;) {
    all.push(...page.configs);
    const { nextPageToken: pageToken } = page;
    if (pageToken === "") return all;
    page = await store.configs.list(scope, taskId, { pageSize: PAGE, pageToken });
  }
}
