import type { MemoryData } from "../memory-data.js";
import type { TaskRecord } from "../task-record.js";
import type { CommitEntry, Lease, StoredConfig, StoredEvent } from "../types.js";
import { Damaged, list, members, number, optional, text, type Members } from "./decode.js";
import {
  plainEvent,
  plainMessage,
  readConfig,
  readDelivery,
  readEvent,
  readHead,
  readLease,
  readMessage,
} from "./parts.js";

/** One line of an events file: what was done to its task. */
export type Change =
  /** `saved`: it holds only if the JSON file that was written after it does. */
  | { readonly kind: "commit"; readonly entry: CommitEntry; readonly saved?: true }
  /** Events that the JSON file builds on or that are kept for replay. */
  | { readonly kind: "events"; readonly events: readonly StoredEvent[] }
  | { readonly kind: "config"; readonly config: StoredConfig }
  | { readonly kind: "unconfig"; readonly id: string }
  /** A delivery was put off, or, without a time, is done. */
  | { readonly kind: "delivery"; readonly configId: string; readonly n: number; readonly due?: number }
  | { readonly kind: "lease"; readonly lease: Lease }
  | { readonly kind: "letter"; readonly id: string; readonly text: string; readonly seq: number }
  | { readonly kind: "answer"; readonly id: string; readonly text: string }
  | { readonly kind: "collect"; readonly id: string };

/** The line of a change, with its line break. */
export function lineOf(seq: number, change: Change): string {
  return `${JSON.stringify({ line: seq, ...plain(change) })}\n`;
}

function plain(change: Change): object {
  if (change.kind === "events") return { ...change, events: change.events.map(plainEvent) };
  if (change.kind !== "commit") return change;
  const { scope: _scope, taskId: _id, snapshot: _snapshot, events, messages, ...rest } = change.entry;
  const entry = {
    ...rest,
    ...(events.length > 0 && { events: events.map(plainEvent) }),
    ...(messages && { messages: messages.map(plainMessage) }),
  };
  return { ...change, entry };
}

/** Reads a line. */
export function readLine(line: string): { seq: number; change: Change } {
  const item = members(JSON.parse(line));
  return { seq: number(item["line"]), change: readChange(item) };
}

function readChange(item: Members): Change {
  const kind = item["kind"];
  switch (kind) {
    case "commit":
      return {
        kind,
        entry: readEntry(members(item["entry"])),
        ...(item["saved"] === true && { saved: true }),
      };
    case "events":
      return { kind, events: list(item["events"], readEvent) };
    case "config":
      return { kind, config: readConfig(members(item["config"])) };
    case "unconfig":
    case "collect":
      return { kind, id: text(item["id"]) };
    case "delivery": {
      const due = optional(item["due"], number);
      const row = { configId: text(item["configId"]), n: number(item["n"]) };
      return { kind, ...row, ...(due !== undefined && { due }) };
    }
    case "lease":
      return { kind, lease: readLease(item["lease"]) };
    case "letter":
      return { kind, id: text(item["id"]), text: text(item["text"]), seq: number(item["seq"]) };
    case "answer":
      return { kind, id: text(item["id"]), text: text(item["text"]) };
    default:
      throw new Damaged("a line says nothing that is known");
  }
}

function readEntry(item: Members): CommitEntry {
  const head = optional(item["head"], readHead);
  return {
    scope: { tenant: "", owner: "" },
    taskId: "",
    fence: number(item["fence"]),
    events: list(item["events"], readEvent),
    ...(head && { head }),
    ...(item["messages"] !== undefined && { messages: list(item["messages"], readMessage) }),
    configs: list(item["configs"], readConfig),
    outbox: list(item["outbox"], readDelivery),
    ...("lease" in item && { lease: optional(item["lease"], readLease) ?? null }),
    answers: list(item["answers"], (answer) => ({ id: text(answer["id"]), text: text(answer["text"]) })),
  };
}

/** The events that a change brought. */
export const eventsOf = (change: Change): readonly StoredEvent[] =>
  change.kind === "commit" ? change.entry.events : change.kind === "events" ? change.events : [];

/** Does to a record, that no list holds yet, what a line says. */
export function redo(data: MemoryData, record: TaskRecord, change: Change): void {
  switch (change.kind) {
    case "commit":
      if (change.entry.head) record.head = change.entry.head;
      record.write(change.entry, data.limits.maxEvents);
      for (const row of change.entry.outbox ?? []) data.enqueue(record, row);
      for (const { id, text } of change.entry.answers ?? []) data.answer(record, id, text);
      return;
    case "events":
      return;
    case "config":
      record.config(change.config);
      return;
    case "unconfig":
      record.outbox?.delete(change.id);
      record.configs?.delete(change.id);
      return;
    case "delivery": {
      const waiting = record.outbox?.get(change.configId);
      const at = waiting?.findIndex(({ n }) => n === change.n) ?? -1;
      const found = waiting?.[at];
      if (waiting === undefined || found === undefined) return;
      const { due } = change;
      if (due === undefined) waiting.splice(at, 1);
      else waiting[at] = { ...found, holder: "", due, attempts: found.attempts + 1 };
      if (waiting.length === 0) record.outbox?.delete(change.configId);
      return;
    }
    case "lease":
      record.lease = change.lease;
      record.fence = Math.max(record.fence, change.lease.fence);
      return;
    case "letter": {
      const { id, text, seq } = change;
      const letter = { id, text, scope: record.scope, taskId: record.id };
      record.letters ??= new Map();
      record.letters.set(id, { record, letter, seq, answer: undefined });
      return;
    }
    case "answer":
      data.answer(record, change.id, change.text);
      return;
    case "collect":
      record.letters?.delete(change.id);
  }
}
