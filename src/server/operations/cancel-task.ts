import { A2AError } from "../../errors.js";
import { JsonText } from "../../json-text.js";
import { later } from "../../task/clock.js";
import type { Scope } from "../../store/types.js";
import { Elsewhere } from "../../task/elsewhere.js";
import { isLive } from "../../task/engine.js";
import type { LiveTask } from "../../task/live-task.js";
import type { Met } from "../../task/task-loads.js";
import { waitUntil } from "../../task/wait-until.js";
import { TaskState, type CancelTaskRequest, type Task } from "../../versions/pivot.js";
import { answerOf } from "../errands.js";
import { taskNotFound } from "../invalid.js";
import type { HandlerContext } from "../router-types.js";
import { ask } from "./ask.js";
import { callScope, type ServiceContext } from "../service-context.js";
import { TaskCanceled } from "../task-errors.js";
import type { TaskSession } from "../task-session.js";

/**
 * CancelTask: CANCELED at once, and the handler's signal fires; or, where the agent wants it so, after the handler had
 * its time to end by itself. Cancels that overlap share one outcome; a task that has ended is not cancelable.
 */
export async function cancelTask(
  service: ServiceContext,
  request: CancelTaskRequest,
  ctx: HandlerContext,
): Promise<JsonText<Task>> {
  const { id, metadata } = request;
  const { engine } = service.runtime;
  const scope = callScope(service, ctx);
  const cancel = (found: Met): { readonly live: LiveTask; readonly canceled: Promise<void> } => {
    if (found === undefined) throw taskNotFound(id);
    if (!isLive(found)) throw notCancelable(id, found.head.state);
    return { live: found, canceled: cancelLive(service, found, metadata) };
  };
  const met = await engine.visit<ReturnType<typeof cancel> | Elsewhere>(scope, id, cancel, {
    elsewhere: (task) => task,
  });
  if (met instanceof Elsewhere) return cancelElsewhere(service, scope, request, ctx);
  await met.canceled;
  return new JsonText<Task>(await engine.textOf(met.live));
}

/** Has the instance that works on a task cancel it. */
async function cancelElsewhere(
  service: ServiceContext,
  scope: Scope,
  request: CancelTaskRequest,
  ctx: HandlerContext,
): Promise<JsonText<Task>> {
  const { engine } = service.runtime;
  const { id, metadata } = request;
  const answer = await ask(engine, scope, id, { kind: "cancel", ...(metadata && { metadata }) }, ctx);
  const stored = answer === undefined ? await engine.store.read(scope, id) : undefined;
  // It ended before it was asked, unless it was canceled and nobody was left to say so.
  if (answer !== undefined) answerOf(answer);
  else if (stored?.head.state !== TaskState.CANCELED) return cancelTask(service, request, ctx);
  const text = await engine.text(scope, id);
  if (text === undefined) throw taskNotFound(id);
  return new JsonText<Task>(text);
}

/** Cancels a task that is worked on here: the cancel that goes on, or a new one. */
export function cancelLive(
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
