import { decodeEvents } from "../sql/event-body.js";
import { decodeLayout } from "../sql/layout-text.js";
import type { Snapshot, StoredEvent, StoredMessage, StoredTask } from "../types.js";
import type { Row } from "./load-driver.js";
import { headOf, maybeText, number, placeOf, text } from "./row.js";

/**
 * Columns of a task `t` as `storedTask` reads them. Events are those after the revision that `from` says, as JSON
 * `[[first, body]…]`: nothing parses the texts in them.
 */
export const storedColumns = (from: string): string =>
  `t.tenant, t.owner, t.id, t.names, t.context_id, t.context_name, t.state, t.ts, t.terminal, t.revision::float8, t.at::float8,
  t.received::float8, t.snapshot, t.layout, t.agent, t.fence::float8, t.lease_holder, t.lease_expires::float8,
  t.replay_from::float8, (${from})::float8 as events_after,
  (select json_agg(json_build_array(e.first, e.body) order by e.first)::text from a2a_events e
    where e.tenant = t.tenant and e.owner = t.owner and e.task = t.id and e.last > ${from}) as events,
  (select json_agg(json_build_array(m.k, m.after, m.text) order by m.k)::text from a2a_messages m
    where m.tenant = t.tenant and m.owner = t.owner and m.task = t.id and m.k > t.received) as messages`;

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
    text: text(row, "snapshot"),
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
