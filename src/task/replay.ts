import type { MaybePromise, Scope, StoredEvent, StoredTask, TaskStore } from "../store/types.js";
import { EventRecord } from "./event-record.js";
import type { FollowedEvent } from "./followed-event.js";
import { StoredRecord } from "./stored-record.js";
import { TextRecord } from "./text-record.js";

/** Which events of a task to read. */
export interface ReplayQuery {
  readonly scope: Scope;
  readonly id: string;
  /** Revision before the first. */
  readonly after: number;
  /** Revision of the last, at most. */
  readonly upTo: number;
  /** Characters that are enough. */
  readonly size: number;
}

/** Reads events of a task that goes on from its store; undefined where the first of them is kept no longer. */
export function replay(
  store: Pick<TaskStore, "read">,
  query: ReplayQuery,
): MaybePromise<FollowedEvent[] | undefined> {
  const { scope, id, after, size } = query;
  const stored = store.read(scope, id, { after, size, bare: true });
  return stored instanceof Promise ? stored.then((found) => pick(found, query)) : pick(stored, query);
}

// A store may give more than was asked for. What is not taken is not held either.
function pick(
  stored: StoredTask | undefined,
  { after, upTo, size }: ReplayQuery,
): FollowedEvent[] | undefined {
  const events = stored?.events ?? [];
  const found: FollowedEvent[] = [];
  for (let at = indexAfter(events, after), sum = 0; sum < size; at += 1) {
    const event = events[at];
    if (event?.n !== after + 1 + found.length || event.n > upTo) break;
    const record =
      event instanceof EventRecord || event instanceof TextRecord ? event : new StoredRecord(event);
    found.push(record);
    sum += record.size;
  }
  return found.length === 0 ? undefined : found;
}

/** Where the first event with `n > after` is, if it is there: revisions run without gap. */
function indexAfter(events: readonly StoredEvent[], after: number): number {
  const [first] = events;
  return first === undefined ? 0 : Math.max(0, after + 1 - first.n);
}
