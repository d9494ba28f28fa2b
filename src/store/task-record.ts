import type { MemoryBucket } from "./memory-bucket.js";
import type {
  CommitEntry,
  Delivery,
  Lease,
  Letter,
  Scope,
  Snapshot,
  StoredConfig,
  StoredEvent,
  StoredMessage,
  StoredTask,
  TaskHead,
} from "./types.js";

/** A delivery that waits. */
export interface WaitingDelivery extends Delivery {
  readonly due: number;
}

/** A registration, and its place among those of its task: they are numbered as they come, and no number comes twice. */
export interface KeptConfig {
  readonly config: StoredConfig;
  readonly seq: number;
}

/** A letter, and what it was answered with. */
export interface KeptLetter {
  readonly record: TaskRecord;
  readonly letter: Letter;
  /** Letters are numbered as they come. */
  readonly seq: number;
  answer: string | undefined;
}

/** A task in memory, and its places in the lists it is found by. */
export class TaskRecord {
  readonly id: string;
  readonly bucket: MemoryBucket;
  head: TaskHead;
  revision = 0;
  snapshot: Snapshot;
  /** All kept events, without gap up to `revision`; absent where none are kept. */
  events: StoredEvent[] | undefined;
  /** Messages after the snapshot. */
  messages: StoredMessage[] | undefined;
  lease: Lease | undefined;
  fence = 0;
  configs: Map<string, KeptConfig> | undefined;
  /** Number of the next registration. */
  configSeq = 1;
  outbox: Map<string, WaitingDelivery[]> | undefined;
  letters: Map<string, KeptLetter> | undefined;
  /** Deleted or evicted; queues skip it. */
  gone = false;
  newer: TaskRecord | undefined;
  older: TaskRecord | undefined;
  newerInContext: TaskRecord | undefined;
  olderInContext: TaskRecord | undefined;

  constructor(id: string, bucket: MemoryBucket, head: TaskHead, snapshot: Snapshot) {
    this.id = id;
    this.bucket = bucket;
    this.head = head;
    this.snapshot = snapshot;
  }

  get scope(): Scope {
    return this.bucket.scope;
  }

  /** Number of the last received message. */
  get received(): number {
    return this.messages?.at(-1)?.k ?? this.snapshot.received;
  }

  /** Smallest `after` that can be replayed from. */
  get replayFrom(): number {
    const first = this.events?.[0];
    return first === undefined ? this.revision : first.n - 1;
  }

  /** Takes an entry that was checked. */
  write(entry: CommitEntry, keep: number): void {
    const { events, messages, snapshot } = entry;
    if (events.length > 0) {
      if (this.events === undefined) this.events = [...events];
      else for (const event of events) this.events.push(event);
    }
    const last = events.at(-1)?.n ?? this.revision;
    this.revision = Math.max(last, snapshot?.at ?? 0);
    // Events that were never written: a replay of what came before would have a gap.
    if (this.revision > last) this.events = undefined;
    if (messages !== undefined) this.messages = [...(this.messages ?? []), ...messages];
    if (snapshot !== undefined) {
      this.snapshot = snapshot;
      const rest = this.messages?.filter(({ k }) => k > snapshot.received);
      this.messages = rest?.length ? rest : undefined;
      this.#trim(entry, keep);
    }
    for (const config of entry.configs ?? []) this.config(config);
    if (entry.lease !== undefined) this.lease = entry.lease ?? undefined;
    this.fence = Math.max(this.fence, entry.fence, this.lease?.fence ?? 0);
    if (this.head.terminal) this.lease = undefined;
  }

  /** Lets go of what it holds; a queue may hold the record itself for a while. */
  empty(): void {
    this.snapshot = NOTHING;
    this.events = undefined;
    this.messages = undefined;
    this.configs = undefined;
    this.outbox = undefined;
    this.letters = undefined;
  }

  config(config: StoredConfig): void {
    this.configs ??= new Map();
    const known = this.configs.get(config.id);
    this.configs.set(config.id, { config, seq: known?.seq ?? this.configSeq });
    if (known === undefined) this.configSeq += 1;
  }

  /** The task as `read` gives it. */
  stored(after: number | undefined): StoredTask {
    const { snapshot, replayFrom, events = [] } = this;
    const from = after !== undefined && after >= replayFrom ? after : snapshot.at;
    return {
      taskId: this.id,
      head: this.head,
      revision: this.revision,
      snapshot,
      events: events.slice(Math.max(0, from - replayFrom)),
      messages: this.messages ?? [],
      ...(this.lease && { lease: this.lease }),
      fence: this.fence,
      replayFrom,
    };
  }

  #trim(entry: CommitEntry, keep: number): void {
    if (entry.dropEvents === true) {
      const rest = this.events?.filter(({ n }) => n > this.snapshot.at);
      this.events = rest?.length ? rest : undefined;
    } else if (this.events !== undefined && this.events.length > keep) {
      // What the snapshot does not hold must stay.
      const spare = Math.min(this.events.length - keep, this.snapshot.at - this.replayFrom);
      if (spare > 0) this.events = this.events.slice(spare);
    }
  }
}

const NOTHING: Snapshot = { at: 0, received: 0, text: "" };
