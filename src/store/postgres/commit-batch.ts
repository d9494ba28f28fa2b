import { decodeEvents } from "../sql/event-body.js";
import type { CommitEntry, CommitResult, StoredEvent } from "../types.js";
import { LOCK, STORED_LAST } from "./commit-sql.js";
import { planEntry, planFor, type TaskPlan } from "./commit-plan.js";
import type { Database, Session } from "./database.js";
import { taskKey } from "../sql/keys.js";
import type { Row } from "./load-driver.js";
import { headOf, maybeText, number, text } from "./row.js";
import { COMMIT, ROLLBACK } from "./statement.js";
import type { TaskState } from "../sql/task-state.js";
import { writePlans } from "./write-plan.js";

/**
 * Writes batches, each in one transaction of two exchanges: the tasks are locked and looked at, then all is written.
 * Where a connection broke while a batch was on its way nobody knows whether it was written; when such an entry comes
 * again, what is stored is compared with it.
 */
export function committer(
  database: Database,
  maxEvents: number,
): (batch: readonly CommitEntry[]) => Promise<CommitResult[]> {
  const doubtful = new WeakSet<CommitEntry>();

  return async (batch) => {
    if (batch.length === 0) return [];
    const keys = batch.map(({ scope, taskId }) => taskKey(scope, taskId));
    const columns = [0, 1, 2].map((i) => keys.map((key) => key[i]));
    return database.transaction(async (session, first) => {
      const stored = new Map<string, TaskState>();
      for (const row of (await session.send(...first, [LOCK, columns])).at(-1) ?? []) {
        stored.set(nameOfTask([text(row, "tenant"), text(row, "owner"), text(row, "id")]), stateOf(row));
      }
      const plans = new Map<string, TaskPlan>();
      const results: CommitResult[] = [];
      for (const [i, entry] of batch.entries()) {
        const key = keys[i] ?? taskKey(entry.scope, entry.taskId);
        const name = nameOfTask(key);
        let plan = plans.get(name);
        if (plan === undefined) plans.set(name, (plan = planFor(entry, key, stored.get(name))));
        const result = planEntry(plan, entry, maxEvents);
        const written = result !== "ok" && doubtful.has(entry) && (await isStored(session, plan, entry));
        results.push(written ? "ok" : result);
      }
      const writes = writePlans([...plans.values()], maxEvents);
      if (writes.length === 0) {
        await session.send([ROLLBACK]);
        return results;
      }
      try {
        await session.send(...writes, [COMMIT]);
      } catch (error) {
        for (const entry of batch) doubtful.add(entry);
        throw error;
      }
      return results;
    });
  };
}

const nameOfTask = (key: readonly string[]): string => JSON.stringify(key);

function stateOf(row: Row): TaskState {
  const holder = maybeText(row, "lease_holder");
  const received = number(row, "received");
  return {
    head: headOf(row),
    revision: number(row, "revision"),
    at: number(row, "at"),
    received,
    lastMessage: row["last_message"] === null ? received : Math.max(received, number(row, "last_message")),
    fence: number(row, "fence"),
    lease: holder === undefined ? undefined : { holder, expires: number(row, "lease_expires") },
    replayFrom: number(row, "replay_from"),
  };
}

/** Whether the task is as the entry makes it: what is stored last is what the entry has. */
async function isStored(session: Session, { key, before }: TaskPlan, entry: CommitEntry): Promise<boolean> {
  const { events, snapshot, fence } = entry;
  const message = entry.messages?.at(-1);
  if (before === undefined || before.fence !== fence) return false;
  if (message !== undefined && message.k !== before.lastMessage) return false;
  const revision = Math.max(events.at(-1)?.n ?? 0, snapshot?.at ?? 0);
  if (revision !== 0 && revision !== before.revision) return false;
  const [[row] = []] = await session.send([STORED_LAST, [...key, revision, message?.k ?? 0]]);
  if (row === undefined) return false;
  if (snapshot !== undefined) return row["snapshot"] === snapshot.text;
  const last = events.at(-1);
  if (last !== undefined) {
    const stored = lastEvent(row);
    return stored?.n === last.n && stored.text === last.text;
  }
  return message !== undefined && row["message"] === message.text;
}

/** The last event of the row that was written last. */
function lastEvent(row: Row): StoredEvent | undefined {
  const body = maybeText(row, "body");
  if (body === undefined) return undefined;
  const events: StoredEvent[] = [];
  const n = number(row, "last");
  decodeEvents(body, number(row, "first"), n - 1, events);
  return events[0];
}
