import type { StoredTask } from "../store/types.js";
import type { LiveTask } from "../task/live-task.js";
import type { Orphan } from "../task/take-task.js";
import type { Message, StreamResponse, Task } from "../versions/pivot.js";
import { Role } from "../versions/pivot.js";
import type { AgentRuntime } from "./agent-runtime.js";

/** Ends a task that nobody works on any more, or starts its run again: the policy of the agent. */
export function recover(runtime: AgentRuntime, live: LiveTask, stored: StoredTask, why: Orphan): void {
  const { agent, log } = runtime;
  const fail = (note: string): void => {
    log.warn(`task ${live.id}: ${note}`);
    runtime.effects(live).failed(note);
  };
  if (why === "abandoned") {
    fail("Nobody finished this in time.");
    return;
  }
  const session = runtime.sessionOf(live);
  const { interruptedRun } = session;
  if (agent.recovery === "fail" || interruptedRun === undefined) {
    fail("The process that worked on this task stopped.");
  } else if (interruptedRun.attempt >= agent.maxAttempts) {
    fail(`The process that worked on this task stopped, in ${String(interruptedRun.attempt)} attempts.`);
  } else {
    log.info(`task ${live.id}: attempt ${String(interruptedRun.attempt + 1)}`);
    const [message, ...waiting] = received(live.task).slice(interruptedRun.k);
    if (message === undefined) fail("The process that worked on this task stopped.");
    else session.rerun(interruptedRun, message, waiting, () => eventsOf(stored));
  }
}

/** The messages of the caller, by number. */
const received = ({ history = [] }: Task): Message[] => history.filter(({ role }) => role === Role.USER);

/** What happened to a task, from its beginning, or from what the store has of it. */
function eventsOf({ events, snapshot }: StoredTask): readonly StreamResponse[] {
  const whole = events[0]?.n === 1;
  const kept = whole ? events : events.filter(({ n }) => n > snapshot.at);
  const parsed = kept.map(({ text }) => JSON.parse(text) as StreamResponse);
  return whole ? parsed : [{ task: JSON.parse(snapshot.text) as Task }, ...parsed];
}
