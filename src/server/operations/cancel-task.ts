import { A2AError } from "../../errors.js";
import { JsonText } from "../../json-text.js";
import { later } from "../../task/clock.js";
import { isLive } from "../../task/engine.js";
import type { LiveTask } from "../../task/live-task.js";
import { waitUntil } from "../../task/wait-until.js";
import type { CancelTaskRequest, Task } from "../../versions/pivot.js";
import { taskNotFound } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import { callScope, type ServiceContext } from "../service-context.js";
import { TaskCanceled } from "../task-errors.js";
import type { TaskSession } from "../task-session.js";

/**
 * CancelTask: CANCELED at once, and the handler's signal fires; or, where the agent wants it so, after the handler had
 * its time to end by itself. Cancels that overlap share one outcome; a task that has ended is not cancelable.
 */
export async function cancelTask(
  service: ServiceContext,
  { id, metadata }: CancelTaskRequest,
  ctx: HandlerContext,
): Promise<JsonText<Task>> {
  const { engine } = service.runtime;
  const { live, canceled } = await engine.visit(callScope(service, ctx), id, (found) => {
    if (found === undefined) throw taskNotFound(id);
    if (!isLive(found)) throw notCancelable(id, found.head.state);
    return { live: found, canceled: canceling(service, found, metadata) };
  });
  await canceled;
  return new JsonText<Task>(await engine.textOf(live));
}

/** The cancel that goes on, or a new one. */
function canceling(
  service: ServiceContext,
  live: LiveTask,
  metadata: CancelTaskRequest["metadata"],
): Promise<void> {
  const session = service.runtime.sessionOf(live);
  if (session.canceling === undefined) {
    if (live.terminal) throw notCancelable(live.id, live.state);
    session.canceling = cancel(service, session, new TaskCanceled(live.id, metadata)).finally(() => {
      session.canceling = undefined;
    });
  }
  return session.canceling;
}

async function cancel(service: ServiceContext, session: TaskSession, reason: TaskCanceled): Promise<void> {
  const { live, run } = session;
  const { runtime } = service;
  if (run !== undefined && runtime.agent.cancel === "cooperative") {
    run.abort(reason);
    // Rejects where the task is lost to this process meanwhile: at shutdown, nobody waits for the handler any longer.
    await Promise.race([
      endOf(session, runtime.agent.cancelGraceMs),
      waitUntil(live, () => (live.terminal && live.settled ? true : undefined)),
    ]);
  }
  if (!live.terminal) runtime.effects(live).canceled();
  session.run?.abort(reason);
  await waitUntil(live, () => (live.settled ? true : undefined));
}

/** The handler is done, or its time is. */
function endOf(session: TaskSession, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = later(graceMs, resolve);
    session.whenOver(() => {
      stop();
      resolve();
    });
  });
}

/** In words, for the names of states differ from version to version. */
const notCancelable = (id: string, state: string): A2AError => {
  const ending = state.replace("TASK_STATE_", "").toLowerCase();
  return new A2AError("TASK_NOT_CANCELABLE", `Task ${id} has ended: ${ending}`, {
    metadata: { taskId: id },
  });
};
