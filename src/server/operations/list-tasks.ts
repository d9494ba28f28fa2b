import { JsonText } from "../../json-text.js";
import type { Scope, StoredTask } from "../../store/types.js";
import { cutTask, type TaskView } from "../../task/cut-task.js";
import { storedText } from "../../task/load-task.js";
import type { ListTasksRequest, ListTasksResponse } from "../../versions/pivot.js";
import { TaskState } from "../../versions/pivot.js";
import { checkHistoryLength, invalid } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import { callScope, type ServiceContext } from "../service-context.js";

const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

/** ListTasks: newest status first, by cursor; artifacts only where asked for (A2A-3.1.4). */
export async function listTasks(
  service: ServiceContext,
  request: ListTasksRequest,
  ctx: HandlerContext,
): Promise<JsonText<ListTasksResponse>> {
  const {
    contextId,
    status,
    pageSize = DEFAULT_PAGE,
    pageToken,
    historyLength,
    statusTimestampAfter,
  } = request;
  checkHistoryLength(historyLength, "historyLength");
  if (pageSize < 1 || pageSize > MAX_PAGE) {
    throw invalid("pageSize", `must be between 1 and ${String(MAX_PAGE)}; this is ${String(pageSize)}`);
  }
  const scope = callScope(service, ctx);
  const page = await service.runtime.engine.store.list(scope, {
    pageSize,
    ...(contextId !== undefined && contextId !== "" && { contextId }),
    ...(status !== undefined && status !== TaskState.UNSPECIFIED && { state: status }),
    ...(pageToken !== undefined && pageToken !== "" && { pageToken }),
    ...(statusTimestampAfter !== undefined && { statusTimestampAfter }),
  });
  const view: TaskView = {
    artifacts: request.includeArtifacts === true,
    ...(historyLength !== undefined && { historyLength }),
  };
  const tasks = page.tasks.map((task) => textOf(service, scope, task, view)).join(",");
  // All four members are REQUIRED: they are written even where empty (A2A-3.1.4-l).
  return new JsonText(
    `{"tasks":[${tasks}],"nextPageToken":${JSON.stringify(page.nextPageToken)},` +
      `"pageSize":${String(pageSize)},"totalSize":${String(page.totalSize)}}`,
  );
}

function textOf(service: ServiceContext, scope: Scope, task: StoredTask, view: TaskView): string {
  // A live task has its text at hand; the store would fold it from its events.
  const live = service.runtime.engine.peek(scope, task.taskId);
  return cutTask(live?.settled === true ? live.text() : storedText(task), view);
}
