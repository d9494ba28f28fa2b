import type { Agent } from "../client/agent.js";
import { isTransient } from "../client/transient.js";
import { isA2AError } from "../errors.js";
import type { Task } from "../versions/pivot.js";
import { isResting } from "./resting.js";

/** How long a task is watched. */
export interface WatchOptions {
  /** On the clock of `performance.now()`, in ms. */
  readonly deadline: number;
  /** Between looks at an agent that does not stream, in ms. */
  readonly pollMs: number;
  /** The task, where it is known. */
  readonly first?: Task | undefined;
}

/** The least time that a look at a task gets, in ms, so that one that timed out is still seen as it is. */
const LAST_LOOK_MS = 2_000;

/**
 * The task once it has ended or waits for somebody, or as it is at the deadline. It is followed: through breaks where the
 * agent streams, by looking at it from time to time where it does not. Where it is known, it is given as far as it is, also
 * where the agent is gone.
 */
export async function watchTask(agent: Agent, id: string, options: WatchOptions): Promise<Task> {
  const { deadline, pollMs, first } = options;
  const left = (): number => deadline - performance.now();
  const task = first ?? (await look(agent, id, left()));
  if (isResting(task) || left() <= 0) return task;
  const run = agent.task(id, { pollIntervalMs: pollMs, maxPollIntervalMs: pollMs, maxOutageMs: Infinity });
  try {
    await run.result({ timeoutMs: Math.max(1, Math.ceil(left())) });
  } catch (error) {
    if (!isA2AError(error, "TIMEOUT")) throw error;
  } finally {
    await run.close();
  }
  // Its history has what no event says.
  return look(agent, id, left(), run.task ?? task);
}

/** A task as it is now. `known` is the answer where the agent cannot be reached in time. */
export async function look(agent: Agent, id: string, leftMs: number, known?: Task): Promise<Task> {
  try {
    return await agent.getTask({ id }, { timeoutMs: Math.max(leftMs, LAST_LOOK_MS) });
  } catch (error) {
    const away = isA2AError(error) && (error.reason === "TIMEOUT" || isTransient(error));
    if (known === undefined || !away) throw error;
    return known;
  }
}
