import { TaskState } from "../versions/pivot.js";
import { MemoryBucket } from "./memory-bucket.js";
import { RecordQueue } from "./record-queue.js";
import type { KeptLetter, TaskRecord } from "./task-record.js";
import type { CommitEntry, NewDelivery, Scope } from "./types.js";

/** What a memory store is bounded by. */
export interface MemoryLimits {
  readonly maxTasks: number;
  readonly ttl: number;
  readonly replayWindow: number;
  readonly maxEvents: number;
  readonly now: () => number;
}

/** Who keeps records elsewhere too. What it throws keeps the record as it is. */
export interface RecordWatcher {
  /** A record is about to go. */
  removing(record: TaskRecord): void;
  /** Its events were dropped. */
  trimmed(record: TaskRecord): void;
}

/** Finished tasks looked at for each new one that is too much: deliveries that wait must not make every commit slow. */
const LOOKS = 100;

/** The records of a memory store by scope and id, and which of them go when. */
export class MemoryData {
  readonly limits: MemoryLimits;
  /** Records with deliveries that wait. */
  readonly sending = new Set<TaskRecord>();
  readonly #tenants = new Map<string, Map<string, MemoryBucket>>();
  /** Finished tasks, in the order they ended. */
  readonly #finished = new RecordQueue();
  /** Finished tasks that still keep events. */
  readonly #replayable = new RecordQueue();
  /** Tasks that wait for their caller, the longest waiting first. */
  readonly #paused = new Set<TaskRecord>();
  /** Live tasks with a lease. */
  readonly leased = new Set<TaskRecord>();
  /** Letters without an answer, oldest first. */
  readonly unanswered = new Set<KeptLetter>();
  /** Number of the next letter. */
  letter = 1;
  #size = 0;
  /** The bucket that was asked for last: most servers have few scopes, and one asks for it several times in a row. */
  #last: MemoryBucket | undefined;
  readonly #watcher: RecordWatcher | undefined;

  constructor(limits: MemoryLimits, watcher?: RecordWatcher) {
    this.limits = limits;
    this.#watcher = watcher;
  }

  /** The bucket of a scope; an empty one that is not kept where the scope has no task: callers may name any tenant. */
  known(scope: Scope): MemoryBucket {
    return this.#bucketOf(scope) ?? new MemoryBucket(scope);
  }

  bucket(scope: Scope): MemoryBucket {
    const known = this.#bucketOf(scope);
    if (known !== undefined) return known;
    let owners = this.#tenants.get(scope.tenant);
    if (owners === undefined) {
      owners = new Map();
      this.#tenants.set(scope.tenant, owners);
    }
    const bucket = new MemoryBucket(scope);
    owners.set(scope.owner, bucket);
    return bucket;
  }

  find(scope: Scope, taskId: string): TaskRecord | undefined {
    return this.#bucketOf(scope)?.tasks.get(taskId);
  }

  add(record: TaskRecord, entry: CommitEntry): void {
    record.bucket.tasks.add(record);
    record.bucket.link(record);
    this.#size += 1;
    this.#written(record, entry);
    if (this.#size > this.limits.maxTasks) this.#evict();
  }

  /** Takes a record as it was kept elsewhere; those that ended come in the order they did. */
  restore(record: TaskRecord): void {
    const { bucket, head } = record;
    bucket.tasks.add(record);
    bucket.link(record);
    this.#size += 1;
    if (record.lease !== undefined) this.leased.add(record);
    if (record.outbox !== undefined && record.outbox.size > 0) this.sending.add(record);
    if (PAUSES.has(head.state)) this.#paused.add(record);
    if (!head.terminal) return;
    this.#finished.push(record);
    if (record.events !== undefined) this.#replayable.push(record);
  }

  change(record: TaskRecord, entry: CommitEntry): void {
    if (entry.head !== undefined) record.bucket.move(record, entry.head);
    this.#written(record, entry);
  }

  remove(record: TaskRecord): void {
    if (record.gone) return;
    this.#watcher?.removing(record);
    this.#size -= 1;
    const { bucket } = record;
    bucket.unlink(record);
    bucket.tasks.delete(record);
    if (this.sending.size > 0) this.sending.delete(record);
    if (this.leased.size > 0) this.leased.delete(record);
    if (this.#paused.size > 0) this.#paused.delete(record);
    if (record.letters !== undefined)
      for (const kept of record.letters.values()) this.unanswered.delete(kept);
    record.empty();
    if (bucket.tasks.size === 0) this.#forget(bucket);
  }

  /** Answers a letter, once. */
  answer(record: TaskRecord, id: string, text: string): boolean {
    const kept = record.letters?.get(id);
    if (kept === undefined || kept.answer !== undefined) return false;
    kept.answer = text;
    this.unanswered.delete(kept);
    return true;
  }

  /** Drops the events of tasks that ended before the replay window; of at most `limit` tasks, and says how many they were. */
  trim(now: number, limit: number): number {
    let trimmed = 0;
    for (let record = this.#replayable.first; record !== undefined; record = this.#replayable.first) {
      if (!record.gone && (trimmed === limit || endOf(record) > now - this.limits.replayWindow)) break;
      if (!record.gone) {
        record.events = undefined;
        this.#watcher?.trimmed(record);
        trimmed += 1;
      }
      this.#replayable.shift();
    }
    return trimmed;
  }

  /** Drops finished tasks past their time; at most `limit`, and says how many they were. */
  expire(now: number, limit: number): number {
    let dropped = 0;
    for (let record = this.#finished.first; record !== undefined; record = this.#finished.first) {
      if (!record.gone && (dropped === limit || endOf(record) > now - this.limits.ttl)) break;
      if (!record.gone) {
        this.remove(record);
        dropped += 1;
      }
      this.#finished.shift();
    }
    return dropped;
  }

  #written(record: TaskRecord, entry: CommitEntry): void {
    record.write(entry, this.limits.maxEvents);
    for (const delivery of entry.outbox ?? []) this.enqueue(record, delivery);
    for (const { id, text } of entry.answers ?? []) this.answer(record, id, text);
    if (record.lease !== undefined) this.leased.add(record);
    else if (this.leased.size > 0) this.leased.delete(record);
    if (entry.head !== undefined) {
      if (this.#paused.size > 0) this.#paused.delete(record);
      if (PAUSES.has(entry.head.state)) this.#paused.add(record);
    }
    if (entry.head?.terminal === true) {
      this.#finished.push(record);
      if (record.events !== undefined) this.#replayable.push(record);
    }
  }

  /** Puts a delivery at the end of those of its webhook. */
  enqueue(record: TaskRecord, { configId, n, text }: NewDelivery): void {
    record.outbox ??= new Map();
    const waiting = record.outbox.get(configId) ?? [];
    const { scope, id: taskId } = record;
    waiting.push({ scope, taskId, configId, n, text, attempts: 0, holder: "", due: 0 });
    // The oldest may be on its way.
    if (waiting.length > this.limits.maxEvents) waiting.splice(1, 1);
    record.outbox.set(configId, waiting);
    this.sending.add(record);
  }

  /**
   * Finished tasks go, those that ended first; one with deliveries that wait goes to the end of the queue. Beyond a
   * quarter more than the bound it goes all the same, and so do tasks that nobody answered, the longest waiting first: neither whoever
   * registers webhooks that take nothing nor whoever leaves questions open must fill the memory.
   */
  #evict(): void {
    const most = this.limits.maxTasks;
    const spare = Math.ceil(SPARE * most);
    for (let tries = Math.min(this.#finished.length, LOOKS); tries > 0 && this.#size > most; tries -= 1) {
      const record = this.#finished.shift();
      if (record === undefined) break;
      if (record.gone) continue;
      if (this.sending.has(record) && this.#size <= spare) this.#finished.push(record);
      else this.remove(record);
    }
    for (const record of this.#paused) {
      if (this.#size <= spare) break;
      this.remove(record);
    }
    // They would hold what was removed until the next sweep.
    while (this.#replayable.first?.gone === true) this.#replayable.shift();
  }

  #bucketOf(scope: Scope): MemoryBucket | undefined {
    const last = this.#last;
    if (last?.scope.owner === scope.owner && last.scope.tenant === scope.tenant) return last;
    const found = this.#tenants.get(scope.tenant)?.get(scope.owner);
    if (found !== undefined) this.#last = found;
    return found;
  }

  #forget(bucket: MemoryBucket): void {
    if (this.#last === bucket) this.#last = undefined;
    const owners = this.#tenants.get(bucket.scope.tenant);
    owners?.delete(bucket.scope.owner);
    if (owners?.size === 0) this.#tenants.delete(bucket.scope.tenant);
  }
}

/** Times the bound, for tasks that one would rather keep. */
const SPARE = 1.25;
const PAUSES: ReadonlySet<string> = new Set([TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]);

const endOf = ({ head }: TaskRecord): number => Date.parse(head.timestamp) || 0;
