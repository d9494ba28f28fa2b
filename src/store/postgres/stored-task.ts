import { decodeEvents } from "../sql/event-body.js";
import { decodeLayout } from "../sql/layout-text.js";
import type { Snapshot, StoredEvent, StoredMessage, StoredTask } from "../types.js";
import type { Row } from "./load-driver.js";
import { headOf, maybeText, number, placeOf } from "./row.js";

const HEAD = `t.tenant, t.owner, t.id, t.names, t.context_id, t.context_name, t.state, t.ts, t.terminal, t.revision::float8,
  t.at::float8, t.received::float8, t.fence::float8, t.lease_holder, t.lease_expires::float8, t.replay_from::float8`;

const OF_TASK = "e.tenant = t.tenant and e.owner = t.owner and e.task = t.id";

/** Rows with events after a revision. The commit that the revision is in comes first: by its number the index finds it. */
const eventsAfter = (from: string): string =>
  `a2a_events e where ${OF_TASK} and e.last > ${from} and e.first >= coalesce(
    (select max(e.first) from a2a_events e where ${OF_TASK} and e.first <= ${from} + 1), 0)`;

const MESSAGES = `select json_agg(json_build_array(m.k, m.after, m.text) order by m.k)::text from a2a_messages m
    where m.tenant = t.tenant and m.owner = t.owner and m.task = t.id and m.k > t.received`;

const EVENTS = "select json_agg(json_build_array(e.first, e.body) order by e.first)::text";

/**
 * Columns of a task `t` as `storedTask` reads them, with all events after the revision that `from` says, as JSON
 * `[[first, body]…]`: nothing parses the texts in them.
 */
export const storedColumns = (from: string): string =>
  `${HEAD}, t.snapshot, t.layout, t.agent, (${from})::float8 as events_after,
  case when ${from} < t.revision then (${EVENTS} from ${eventsAfter(from)}) end as events, (${MESSAGES}) as messages`;

/** Rows that are looked at where a part of the events is enough. */
const SOME = 1_000;

/**
 * The same with the first events alone, `size` bytes or a little more. A row's size is known without reading its texts.
 * Where `full` is false the rest is left out too.
 */
export const partOfColumns = (from: string, size: string, full: string): string =>
  `${HEAD}, case when ${full} then t.snapshot end as snapshot, t.layout, case when ${full} then t.agent end as agent,
  (${from})::float8 as events_after,
  case when ${from} < t.revision then (
    ${EVENTS} from (
      select s.first, s.body, sum(s.size) over (order by s.first rows unbounded preceding) - s.size as before from (
        select e.first, e.body, octet_length(e.body) as size from ${eventsAfter(from)} order by e.first limit ${String(SOME)}
      ) s
    ) e where e.before < ${size}
  ) end as events,
  case when ${full} then (${MESSAGES}) end as messages`;

/** A task from its row. */
export function storedTask(row: Row): StoredTask {
  const holder = maybeText(row, "lease_holder");
  const fence = number(row, "fence");
  return {
    taskId: placeOf(row).taskId,
    head: headOf(row),
    revision: number(row, "revision"),
    snapshot: snapshotOf(row),
    events: eventsOf(row),
    messages: messagesOf(row),
    ...(holder !== undefined && { lease: { holder, expires: number(row, "lease_expires"), fence } }),
    fence,
    replayFrom: number(row, "replay_from"),
  };
}

function snapshotOf(row: Row): Snapshot {
  const layout = decodeLayout(maybeText(row, "layout") ?? null);
  const agent = maybeText(row, "agent");
  return {
    at: number(row, "at"),
    received: number(row, "received"),
    text: maybeText(row, "snapshot") ?? "",
    ...(layout !== undefined && { layout }),
    ...(agent !== undefined && { agent }),
  };
}

function eventsOf(row: Row): StoredEvent[] {
  const json = maybeText(row, "events");
  if (json === undefined) return [];
  const after = number(row, "events_after");
  const events: StoredEvent[] = [];
  for (const [first, body] of JSON.parse(json) as [first: number, body: string][]) {
    decodeEvents(body, first, after, events);
  }
  return events;
}

function messagesOf(row: Row): StoredMessage[] {
  const json = maybeText(row, "messages");
  if (json === undefined) return [];
  const messages = JSON.parse(json) as [k: number, after: number, text: string][];
  return messages.map(([k, after, message]) => ({ k, after, text: message }));
}
