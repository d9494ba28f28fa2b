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

/** What a record has besides, where it has any of it. */
class More {
  events: StoredEvent[] | undefined;
  messages: StoredMessage[] | undefined;
  lease: Lease | undefined;
  fence = 0;
  configs: Map<string, KeptConfig> | undefined;
  configSeq = 1;
  outbox: Map<string, WaitingDelivery[]> | undefined;
  letters: Map<string, KeptLetter> | undefined;

  /** There would be no difference without it. */
  get isEmpty(): boolean {
    return (
      (this.events ?? this.messages ?? this.lease ?? this.configs ?? this.outbox ?? this.letters) ===
        undefined &&
      this.fence === 0 &&
      this.configSeq === 1
    );
  }
}

/** A task in memory, and its places in the lists it is found by. */
export class TaskRecord {
  readonly id: string;
  readonly bucket: MemoryBucket;
  head: TaskHead;
  revision = 0;
  snapshot: Snapshot;
  newer: TaskRecord | undefined;
  older: TaskRecord | undefined;
  newerInContext: TaskRecord | undefined;
  olderInContext: TaskRecord | undefined;
  /** For the table of its bucket. */
  nextById: TaskRecord | undefined;
  /** What few tasks have: a record of one that ended stays small. */
  #more: More | undefined;

  constructor(id: string, bucket: MemoryBucket, head: TaskHead, snapshot: Snapshot) {
    this.id = id;
    this.bucket = bucket;
    this.head = head;
    this.snapshot = snapshot;
  }

  get scope(): Scope {
    return this.bucket.scope;
  }

  /** Deleted or evicted; queues skip it. */
  get gone(): boolean {
    return this.snapshot === NOTHING;
  }

  /** All kept events, without gap up to `revision`; absent where none are kept. */
  get events(): StoredEvent[] | undefined {
    return this.#more?.events;
  }

  set events(events: StoredEvent[] | undefined) {
    if (events === this.events) return;
    this.#rest.events = events;
    if (events === undefined) this.#shed();
  }

  /** Messages after the snapshot. */
  get messages(): StoredMessage[] | undefined {
    return this.#more?.messages;
  }

  set messages(messages: StoredMessage[] | undefined) {
    if (messages !== this.messages) this.#rest.messages = messages;
  }

  get lease(): Lease | undefined {
    return this.#more?.lease;
  }

  set lease(lease: Lease | undefined) {
    if (lease !== this.lease) this.#rest.lease = lease;
  }

  get fence(): number {
    return this.#more?.fence ?? 0;
  }

  set fence(fence: number) {
    if (fence !== this.fence) this.#rest.fence = fence;
  }

  get configs(): Map<string, KeptConfig> | undefined {
    return this.#more?.configs;
  }

  set configs(configs: Map<string, KeptConfig> | undefined) {
    if (configs !== this.configs) this.#rest.configs = configs;
  }

  /** Number of the next registration. */
  get configSeq(): number {
    return this.#more?.configSeq ?? 1;
  }

  set configSeq(seq: number) {
    if (seq !== this.configSeq) this.#rest.configSeq = seq;
  }

  get outbox(): Map<string, WaitingDelivery[]> | undefined {
    return this.#more?.outbox;
  }

  set outbox(outbox: Map<string, WaitingDelivery[]> | undefined) {
    if (outbox !== this.outbox) this.#rest.outbox = outbox;
  }

  get letters(): Map<string, KeptLetter> | undefined {
    return this.#more?.letters;
  }

  set letters(letters: Map<string, KeptLetter> | undefined) {
    if (letters !== this.letters) this.#rest.letters = letters;
  }

  get #rest(): More {
    return (this.#more ??= new More());
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
      const kept = this.events;
      if (kept === undefined) this.events = [...events];
      else for (const event of events) kept.push(event);
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
    if (this.head.terminal) {
      this.lease = undefined;
      this.#shed();
    }
  }

  /** Lets go of what it holds; a queue may hold the record itself for a while. */
  empty(): void {
    this.snapshot = NOTHING;
    this.#more = undefined;
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

  /** Most have nothing besides once they ended. */
  #shed(): void {
    if (this.#more?.isEmpty === true) this.#more = undefined;
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
