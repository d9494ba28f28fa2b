import { JsonText } from "../../json-text.js";
import type { MaybePromise } from "../../store/types.js";
import type { GetTaskRequest, Task } from "../../versions/pivot.js";
import { checkHistoryLength, taskNotFound } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import { callScope, type ServiceContext } from "../service-context.js";

/** GetTask: the task as stored, its text reused (A2A-3.1.3). */
export function getTask(
  service: ServiceContext,
  { id, historyLength }: GetTaskRequest,
  ctx: HandlerContext,
): MaybePromise<JsonText<Task>> {
  checkHistoryLength(historyLength, "historyLength");
  const view = historyLength === undefined ? {} : { historyLength };
  const shown = (text: string | undefined): JsonText<Task> => {
    if (text === undefined) throw taskNotFound(id);
    return new JsonText<Task>(text);
  };
  const text = service.runtime.engine.text(callScope(service, ctx), id, view);
  return text instanceof Promise ? text.then(shown) : shown(text);
}
