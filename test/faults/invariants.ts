import { isDeepStrictEqual } from "node:util";
import type { Scope, StoredTask, TaskStore } from "../../src/store/types.js";
import type { StreamResponse, Task } from "../../src/versions/pivot.js";
import { getTask } from "./calls.js";
import { isOver } from "./follower.js";
import { fold, plain } from "./fold.js";
import type { Instance } from "./instance.js";
import type { Work } from "./load.js";

const SCOPE: Scope = { tenant: "", owner: "" };
const STOPPED = "The process that worked on this task stopped.";

/** What a check went through. */
export interface Checked {
  tasks: number;
  /** Tasks that are there, also those of which nobody heard. */
  stored: number;
  completed: number;
  failed: number;
  events: number;
  seen: number;
  streams: number;
  restarts: number;
  messages: number;
  readonly problems: string[];
}

/** Nothing yet. */
export const nothing = (): Checked => ({
  ...{
    tasks: 0,
    stored: 0,
    completed: 0,
    failed: 0,
    events: 0,
    seen: 0,
    streams: 0,
    restarts: 0,
    messages: 0,
  },
  problems: [],
});

/**
 * What must hold when everything has ended: no acknowledged event is lost or repeated, revisions have no gap, every task
 * ended, and whoever followed it has the task that GetTask shows, at every instance.
 */
export async function checkWorks(
  works: readonly Work[],
  store: TaskStore,
  instances: readonly Instance[],
  into: Checked,
): Promise<void> {
  for (const work of works) {
    into.problems.push(...work.problems);
    for (const { problem } of work.followers) if (problem !== undefined) into.problems.push(problem);
    if (work.id !== undefined) await checkWork(work, work.id, store, instances, into);
  }
}

async function checkWork(
  work: Work,
  id: string,
  store: TaskStore,
  instances: readonly Instance[],
  into: Checked,
): Promise<void> {
  const wrong = (what: string): void => void into.problems.push(`task ${id}: ${what}`);
  const stored = await store.read(SCOPE, id, { after: 0 });
  if (stored === undefined) {
    wrong("it was acknowledged, and is not in the store");
    return;
  }
  checkStored(stored, into);
  const task = JSON.parse(stored.snapshot.text) as Task;
  for (const { url } of instances) {
    const shown = await getTask(url, id);
    if (isDeepStrictEqual(shown, task)) continue;
    const { received } = stored.snapshot;
    const late = stored.messages.map(({ k, after }) => `message ${String(k)} after event ${String(after)}`);
    wrong(
      `GetTask of ${url} does not show the snapshot of revision ${String(stored.snapshot.at)} with ` +
        `${String(received)} messages, stored beside it: ${late.join(", ")}`,
    );
  }

  const texts = new Map(stored.events.map(({ n, text }) => [n, text]));
  for (const { seen, streams, restarts } of work.followers) {
    into.seen += seen.length;
    into.streams += streams;
    into.restarts += restarts;
    for (const { n, text, event } of seen) {
      // A task that leads a stream is no event, but for the first.
      if (event.task !== undefined && n > 1) continue;
      if (texts.get(n) !== text)
        wrong(`event ${String(n)} was seen as ${text}, stored as ${String(texts.get(n))}`);
    }
    const told = fold(seen.map(({ event }) => event));
    if (isOver(told) && !isDeepStrictEqual(told, plain(task)))
      wrong("a subscriber ended with another task than GetTask");
  }
  if (work.answer !== undefined && !isDeepStrictEqual(work.answer, task))
    wrong("the answer of a call is not the task that GetTask shows");

  const received = (task.history ?? []).map(({ messageId }) => messageId);
  for (const [messageId, isAcknowledged] of work.messages) {
    const times = received.filter((one) => one === messageId).length;
    if (isAcknowledged) into.messages += 1;
    if (times > 1 || (isAcknowledged && times === 0))
      wrong(
        `message ${messageId} (${isAcknowledged ? "" : "not "}acknowledged) is there ${String(times)} times`,
      );
  }
  checkSteps(work, task, stored, wrong);
}

/** What is stored of a task, by itself. */
export function checkStored(stored: StoredTask, into: Checked): void {
  const { taskId, events, revision, snapshot, head } = stored;
  const wrong = (what: string): void => void into.problems.push(`task ${taskId}: ${what}`);
  const task = JSON.parse(snapshot.text) as Task;
  into.tasks += 1;
  into.events += events.length;
  if (task.status.state === "TASK_STATE_COMPLETED") into.completed += 1;
  else into.failed += 1;
  if (!head.terminal || !isOver(task)) wrong(`it has not ended: ${head.state}, revision ${String(revision)}`);
  if (stored.lease !== undefined) wrong("it ended with a lease");
  if (snapshot.at !== revision)
    wrong(`its snapshot is of ${String(snapshot.at)}, its revision ${String(revision)}`);
  // Who ended before anybody could look has no events.
  if (events.length === 0 && stored.replayFrom === revision) return;
  const gap = events.findIndex(({ n }, i) => n !== i + 1);
  if (gap >= 0 || events.length !== revision)
    wrong(`${String(events.length)} events for revision ${String(revision)}, gap at ${String(gap)}`);
  const parsed = events.map(({ text }) => JSON.parse(text) as StreamResponse);
  const over = parsed.findIndex(({ statusUpdate }) => isOver(statusUpdate));
  if (over !== parsed.length - 1) wrong(`event ${String(over + 1)} of ${String(parsed.length)} is its end`);
  if (!isDeepStrictEqual(fold(parsed), plain(task))) wrong("its events do not make its snapshot");
}

/** What the agent did: all steps, each once and in order, or a part of them and the words of a recovery. */
function checkSteps(work: Work, task: Task, stored: StoredTask, wrong: (what: string) => void): void {
  const { steps, ballast = 0 } = work.plan;
  if (ballast > 0) return;
  const done = (task.artifacts ?? []).filter(({ artifactId }) => artifactId.startsWith("step-"));
  const expected = Array.from({ length: done.length }, (_, n) => `step-${String(n)}`);
  if (
    !isDeepStrictEqual(
      done.map(({ artifactId }) => artifactId),
      expected,
    )
  )
    wrong("steps are missing");
  const told = stored.events.filter(({ text }) => text.includes('"artifactId":"step-'));
  if (stored.events.length > 0 && told.length !== done.length)
    wrong(`${String(done.length)} steps in ${String(told.length)} events`);
  const { state, message } = task.status;
  if (state === "TASK_STATE_COMPLETED") {
    if (done.length !== steps) wrong(`COMPLETED after ${String(done.length)} of ${String(steps)} steps`);
  } else if (state !== "TASK_STATE_FAILED" || message?.parts[0]?.text !== STOPPED) {
    wrong(`it ended as ${state}: ${JSON.stringify(message?.parts)}`);
  }
}
