import { JsonText } from "../../json-text.js";
import type { GetTaskRequest, Task } from "../../versions/pivot.js";
import { checkHistoryLength, taskNotFound } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import { callScope, type ServiceContext } from "../service-context.js";

/** GetTask: the task as stored, its text reused (A2A-3.1.3). */
export async function getTask(
  service: ServiceContext,
  { id, historyLength }: GetTaskRequest,
  ctx: HandlerContext,
): Promise<JsonText<Task>> {
  checkHistoryLength(historyLength, "historyLength");
  const view = historyLength === undefined ? {} : { historyLength };
  const text = await service.runtime.engine.text(callScope(service, ctx), id, view);
  if (text === undefined) throw taskNotFound(id);
  return new JsonText<Task>(text);
}
