import type { LiveTask } from "../task/live-task.js";
import type { AgentRuntime } from "./agent-runtime.js";
import { shuttingDown } from "./shutting-down.js";
import { TaskSession } from "./task-session.js";
import { within } from "./within.js";

/** How a server ends. */
export interface CloseOptions {
  /** Milliseconds that handlers which run may take to end by themselves. Default 10,000; 0: none. */
  readonly deadlineMs?: number;
}

/** Milliseconds that handlers have where nobody says how many. */
export const DEADLINE_MS = 10_000;
/** Milliseconds that commits under way may take: a store that fails is asked again within them. */
const FLUSH_MS = 5_000;

/**
 * The end of the work of a server. Streams of tasks that nobody works on end, so that they can be resumed; handlers that
 * run may end by themselves until the deadline, and their callers get the answers. Then handlers are told to stop: in a
 * store that goes with the process (no hint `durable`) their tasks end as FAILED, in any other they stay WORKING for
 * whoever recovers them. Resolves when the store has everything.
 */
export async function drain(runtime: AgentRuntime, deadlineMs: number): Promise<void> {
  const { engine } = runtime;
  for (const live of engine.live()) if (isIdle(live)) engine.release(live);
  const inTime = runtime.running === 0 || (deadlineMs > 0 && (await within(runtime.idle(), deadlineMs)));
  if (!inTime && engine.store.hints?.durable !== true) {
    for (const live of engine.live()) stop(runtime, live);
  }
  await within(engine.settled(), FLUSH_MS);
}

const isIdle = ({ session, settled }: LiveTask): boolean =>
  settled && (!(session instanceof TaskSession) || (session.run === undefined && !session.detached));

function stop(runtime: AgentRuntime, live: LiveTask): void {
  const { run, canceling } = runtime.sessionOf(live);
  // What goes on outside a handler may end the task elsewhere, and a task that waits for input still can.
  if (run === undefined) return;
  if (!live.terminal && !live.interrupted && live.lost === undefined) {
    const effects = runtime.effects(live);
    if (canceling === undefined) effects.failed("The agent stopped.");
    else effects.canceled();
  }
  run.abort(shuttingDown());
}
