import type { MemoryData } from "../memory-data.js";
import { TaskRecord } from "../task-record.js";
import { list, members, number, optional, text, Damaged } from "./decode.js";
import {
  plainMessage,
  readConfig,
  readDelivery,
  readHead,
  readLayout,
  readLease,
  readMessage,
} from "./parts.js";

const FORMAT = 1;

/** The JSON file of a task: all but its events. `seq` is the last line of the events file that it holds. */
export function imageOf(record: TaskRecord, seq: number): string {
  const { tenant, owner } = record.scope;
  const { at, received, layout, agent, text: task } = record.snapshot;
  return JSON.stringify({
    format: FORMAT,
    tenant,
    owner,
    id: record.id,
    seq,
    head: record.head,
    revision: record.revision,
    replayFrom: record.replayFrom,
    fence: record.fence,
    lease: record.lease,
    snapshot: { at, received, layout, agent, text: task },
    messages: record.messages?.map(plainMessage),
    configs: [...(record.configs?.values() ?? [])].map(({ config, seq }) => ({ ...config, seq })),
    configSeq: record.configSeq,
    outbox: [...(record.outbox?.values() ?? [])].flat().map(({ scope: _scope, taskId: _id, ...row }) => row),
    letters: [...(record.letters?.values() ?? [])].map(({ letter, seq, answer }) => ({
      id: letter.id,
      text: letter.text,
      seq,
      answer,
    })),
  });
}

/** A task as its JSON file has it. */
export interface TaskImage {
  readonly record: TaskRecord;
  readonly seq: number;
  readonly replayFrom: number;
}

/** Reads a JSON file; throws where it is none of ours or damaged. */
export function readImage(data: MemoryData, file: string): TaskImage {
  const image = members(JSON.parse(file));
  if (image["format"] !== FORMAT) throw new Damaged("it is not of this store, or of a later version");
  const scope = { tenant: text(image["tenant"]), owner: text(image["owner"]) };
  const id = text(image["id"]);
  const snapshot = members(image["snapshot"]);
  const layout = optional(snapshot["layout"], readLayout);
  const agent = optional(snapshot["agent"], text);
  const record = new TaskRecord(id, data.bucket(scope), readHead(image["head"]), {
    at: number(snapshot["at"]),
    received: number(snapshot["received"]),
    text: text(snapshot["text"]),
    ...(layout && { layout }),
    ...(agent !== undefined && { agent }),
  });
  record.revision = number(image["revision"]);
  record.fence = number(image["fence"]);
  record.lease = optional(image["lease"], readLease);
  const messages = list(image["messages"], readMessage);
  if (messages.length > 0) record.messages = messages;
  for (const { seq, config } of list(image["configs"], (item) => ({
    seq: number(item["seq"]),
    config: readConfig(item),
  }))) {
    record.configs ??= new Map();
    record.configs.set(config.id, { config, seq });
  }
  record.configSeq = number(image["configSeq"]);
  for (const row of list(image["outbox"], (item) => ({
    ...readDelivery(item),
    attempts: number(item["attempts"]),
    // Who claimed it is no more.
    due: item["holder"] === "" ? number(item["due"]) : 0,
  }))) {
    record.outbox ??= new Map();
    const waiting = record.outbox.get(row.configId) ?? [];
    waiting.push({ ...row, scope, taskId: id, holder: "" });
    record.outbox.set(row.configId, waiting);
  }
  for (const { answer, seq, ...letter } of list(image["letters"], (item) => ({
    id: text(item["id"]),
    text: text(item["text"]),
    seq: number(item["seq"]),
    answer: optional(item["answer"], text),
  }))) {
    record.letters ??= new Map();
    record.letters.set(letter.id, { record, letter: { ...letter, scope, taskId: id }, seq, answer });
  }
  return { record, seq: number(image["seq"]), replayFrom: number(image["replayFrom"]) };
}
