import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../client/agent.js";
import { A2AError, isA2AError } from "../errors.js";
import type { Task } from "../versions/pivot.js";
import { isResting, saysResting } from "./resting.js";

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
 * The task once it has ended or waits for somebody, or as it is at the deadline. Follows its events where the agent streams,
 * and looks at it from time to time where it does not, or where the stream breaks.
 */
export async function watchTask(agent: Agent, id: string, options: WatchOptions): Promise<Task> {
  const { deadline, pollMs, first } = options;
  const left = (): number => deadline - performance.now();
  let task = first ?? (await look(agent, id, left()));
  if (!isResting(task) && left() > 0 && agent.card.capabilities.streaming === true) {
    await follow(agent, id, left());
    task = await look(agent, id, left(), task);
  }
  while (!isResting(task) && left() > 0) {
    await pause(Math.min(pollMs, left()));
    task = await look(agent, id, left(), task);
  }
  return task;
}

/** A task as it is now. `known` is the answer where the agent does not give one in time. */
export async function look(agent: Agent, id: string, leftMs: number, known?: Task): Promise<Task> {
  try {
    const task = await agent.getTask({ id }, { timeoutMs: Math.max(leftMs, LAST_LOOK_MS) });
    if (task.id === id) return task;
  } catch (error) {
    if (known === undefined || !isA2AError(error, "TIMEOUT")) throw error;
    return known;
  }
  throw new A2AError("INVALID_AGENT_RESPONSE", `The agent was asked for the task ${id} and gave another one`);
}

/** Reads events until one says that waiting is over, the stream ends, or the time is up. */
async function follow(agent: Agent, id: string, leftMs: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.ceil(leftMs));
  try {
    // Leaving the loop ends the request.
    for await (const event of agent.subscribeToTask({ id }, { signal, timeoutMs: 0 })) {
      if (saysResting(event)) return;
    }
  } catch {
    // The task may have ended before it could be followed, or the stream broke: a look at it will tell.
  }
}
