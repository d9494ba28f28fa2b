import { setTimeout as delay } from "node:timers/promises";
import type { Task } from "../../src/versions/pivot.js";
import { getTask, readStream, resumeStream, type Refused, type Seen } from "./calls.js";
import type { Instance } from "./instance.js";

/** Milliseconds before an instance is asked again. */
const PAUSE = 20;

const TERMINAL = new Set(["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map((name) => `TASK_STATE_${name}`));

/** Whether a task is over. */
export const isOver = (task: Pick<Task, "status"> | undefined): boolean =>
  task !== undefined && TERMINAL.has(task.status.state);

/** A subscriber that goes on with another instance where its stream breaks, until the task has ended. */
export interface Follower {
  readonly seen: readonly Seen[];
  /** Streams that it got. */
  readonly streams: number;
  /** Where a stream began anew with the task instead of the events that were missed. */
  readonly restarts: number;
  /** What cannot be right, in words. */
  readonly problem: string | undefined;
  /** The task has ended, and it knows. */
  readonly done: Promise<void>;
}

/** What a follower needs. */
export interface FollowerOptions {
  /** Which instance to ask next. */
  next(): Instance;
  /** Opens the first stream; default: a subscription. Rejects, or is refused, where there is no task. */
  readonly open?: (signal: AbortSignal) => Promise<Response>;
  /** The task, where it is known beforehand. */
  readonly id?: string;
  /** Milliseconds within which the task must end. */
  readonly within: number;
  readonly told?: (seen: Seen) => void;
}

/** Follows a task. */
export function follow({ next, open, id: known, within, told }: FollowerOptions): Follower {
  const seen: Seen[] = [];
  const last = (): Seen | undefined => seen.at(-1);
  let id = known;
  let over = false;
  const signal = AbortSignal.timeout(within);
  const follower = { seen, streams: 0, restarts: 0, problem: undefined as string | undefined };

  const hear = (one: Seen): void => {
    const before = last();
    const expected = before === undefined ? one.n : before.n + 1;
    id ??= one.event.task?.id;
    // What leads a stream is the task as it is; it is new where it shows more than was seen.
    if (before !== undefined && one.n !== expected) {
      if (one.event.task !== undefined && one.n >= before.n) follower.restarts += 1;
      else problem(`event ${String(one.n)} came after event ${String(before.n)}`);
    }
    if (over) problem(`event ${String(one.n)} came after the end`);
    seen.push(one);
    over ||= isOver(one.event.statusUpdate ?? one.event.task);
    told?.(one);
  };
  const problem = (what: string): void => {
    follower.problem ??= `task ${id ?? "without id"}: ${what}`;
  };

  async function stream(first: boolean): Promise<Refused | undefined> {
    const response =
      first && open !== undefined
        ? await open(signal)
        : await resumeStream(next().url, id ?? "", last()?.n, signal);
    if (response.ok) follower.streams += 1;
    return readStream(response, hear);
  }

  async function run(): Promise<void> {
    for (let first = true; !over; first = false) {
      if (signal.aborted) {
        problem(`did not end within ${String(within)} ms; last event ${String(last()?.n)}`);
        return;
      }
      const refused = await stream(first).catch(() => undefined);
      // Nothing was acknowledged, so nothing is owed.
      if (id === undefined) return;
      if (over) return;
      if (refused?.reason === "TASK_NOT_FOUND") {
        problem("it is gone");
        return;
      }
      if (refused?.reason === "UNSUPPORTED_OPERATION") {
        const task = await getTask(next().url, id).catch(() => undefined);
        // Who saw nothing of it has the task instead of its events.
        if (isOver(task) && last() === undefined) return;
        if (isOver(task)) {
          problem(`it has ended, but its events after ${String(last()?.n)} are not kept`);
          return;
        }
      }
      await delay(PAUSE);
    }
  }

  const done = run();
  return Object.assign(follower, { done });
}
