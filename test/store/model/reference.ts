/** What a store must do, as simply as it can be said: one list, searched from end to end. */
import type {
  CommitEntry,
  CommitResult,
  Delivery,
  Lease,
  ListQuery,
  Scope,
  Snapshot,
  StoredConfig,
  StoredEvent,
  StoredMessage,
  StoredTask,
  TaskHead,
} from "../../../src/server.js";

export const WINDOW = 3_500;
export const TTL = 9_500;

export interface ReferenceTask {
  readonly scope: Scope;
  readonly taskId: string;
  head: TaskHead;
  revision: number;
  snapshot: Snapshot;
  events: StoredEvent[];
  messages: StoredMessage[];
  received: number;
  fence: number;
  lease: Lease | undefined;
  configs: StoredConfig[];
  outbox: (Delivery & { due: number })[];
  letters: { id: string; text: string; seq: number; answer: string | undefined }[];
}

export class Reference {
  tasks: ReferenceTask[] = [];
  #letters = 0;

  find = (scope: Scope, id: string): ReferenceTask | undefined =>
    this.tasks.find(
      ({ scope: { tenant, owner }, taskId }) =>
        tenant === scope.tenant && owner === scope.owner && taskId === id,
    );

  commit(entry: CommitEntry): CommitResult {
    const { scope, taskId, head, snapshot, events, messages = [], fence, lease } = entry;
    let task = this.find(scope, taskId);
    const created = { scope, taskId, revision: 0, received: 0, fence: 0, lease: undefined };
    if (task === undefined) {
      if (entry.expect !== 0 || !head || !snapshot || (messages[0]?.k ?? 1) !== 1) return "conflict";
      task = { ...created, head, snapshot, events: [], messages: [], configs: [], outbox: [], letters: [] };
      this.tasks.push(task);
    } else {
      const held = task.lease;
      if (
        fence < task.fence ||
        (lease?.holder && held && held.holder !== lease.holder && held.fence >= lease.fence)
      )
        return "fenced";
      if (entry.expect !== undefined && entry.expect !== task.revision) return "conflict";
      const { configs = [], outbox = [], answers = [] } = entry;
      const more = [events, messages, configs, outbox, answers].some(({ length }) => length > 0);
      if (task.head.terminal && (more || head || snapshot)) return "conflict";
      if (messages[0] && messages[0].k !== task.received + 1) return "conflict";
    }
    task.head = head ?? task.head;
    task.snapshot = snapshot ?? task.snapshot;
    task.events.push(...events);
    task.messages.push(...messages);
    task.received = Math.max(messages.at(-1)?.k ?? task.received, task.snapshot.received);
    task.revision = Math.max(events.at(-1)?.n ?? task.revision, task.snapshot.at);
    if (entry.dropEvents) task.events = task.events.filter(({ n }) => n > task.snapshot.at);
    if (task.events.at(-1)?.n !== task.revision) task.events = [];
    task.messages = task.messages.filter(({ k }) => k > task.snapshot.received);
    for (const config of entry.configs ?? []) this.putConfig(task, config);
    for (const row of entry.outbox ?? [])
      task.outbox.push({ ...row, scope, taskId, attempts: 0, holder: "", due: 0 });
    for (const { id, text } of entry.answers ?? []) this.answer(task, id, text);
    task.fence = Math.max(task.fence, fence);
    if (lease !== undefined) task.lease = lease ?? undefined;
    if (task.head.terminal) task.lease = undefined;
    return "ok";
  }

  read(task: ReferenceTask, after?: number): StoredTask {
    const { taskId, head, revision, snapshot, events, messages, lease, fence } = task;
    const replayFrom = (events[0]?.n ?? revision + 1) - 1;
    const from = after !== undefined && after >= replayFrom ? after : snapshot.at;
    const shown = events.filter(({ n }) => n > from);
    return {
      taskId,
      head,
      revision,
      snapshot,
      events: shown,
      messages,
      ...(lease && { lease }),
      fence,
      replayFrom,
    };
  }

  list(scope: Scope, query: Partial<ListQuery>): string[] {
    const found = this.tasks.filter(
      ({ scope: of, head }) =>
        of.owner === scope.owner &&
        (query.state ?? head.state) === head.state &&
        (query.contextId ?? head.contextId) === head.contextId &&
        (query.statusTimestampAfter ?? "") <= head.timestamp,
    );
    const key = ({ head, taskId }: ReferenceTask): string => `${head.timestamp} ${taskId}`;
    return found.sort((a, b) => (key(a) > key(b) ? -1 : 1)).map(({ taskId }) => taskId);
  }

  delete(task: ReferenceTask): void {
    this.tasks = this.tasks.filter((one) => one !== task);
  }

  sweep(now: number): number {
    const old = (task: ReferenceTask, time: number): boolean =>
      task.head.terminal && Date.parse(task.head.timestamp) <= now - time;
    for (const task of this.tasks) if (old(task, WINDOW)) task.events = [];
    const gone = this.tasks.filter((task) => old(task, TTL));
    for (const task of gone) this.delete(task);
    return gone.length;
  }

  putConfig(task: ReferenceTask, config: StoredConfig): void {
    const at = task.configs.findIndex(({ id }) => id === config.id);
    if (at < 0) task.configs.push(config);
    else task.configs[at] = config;
  }

  deleteConfig(task: ReferenceTask, id: string): boolean {
    const { length } = task.configs;
    task.configs = task.configs.filter((config) => config.id !== id);
    task.outbox = task.outbox.filter(({ configId }) => configId !== id);
    return task.configs.length < length;
  }

  claim(holder: string, now: number, ttl: number): Delivery[] {
    return this.tasks.flatMap(({ outbox }) =>
      outbox.flatMap((row, i) => {
        const first = outbox.findIndex(({ configId }) => configId === row.configId) === i;
        if (!first || row.due > now) return [];
        Object.assign(row, { holder, due: now + ttl });
        return [{ ...row }];
      }),
    );
  }

  ack({ scope, taskId, configId, n, holder }: Delivery, retryAt?: number): void {
    const task = this.find(scope, taskId);
    const row = task?.outbox.find((one) => one.configId === configId && one.n === n);
    if (!task || !row) return;
    if (retryAt === undefined) task.outbox = task.outbox.filter((one) => one !== row);
    else if (row.holder === holder)
      Object.assign(row, { holder: "", due: retryAt, attempts: row.attempts + 1 });
  }

  acquire(task: ReferenceTask | undefined, holder: string, now: number, ttl: number): Lease | undefined {
    if (!task || task.head.terminal) return undefined;
    const { lease } = task;
    if (lease && lease.holder !== "" && lease.holder !== holder && lease.expires > now) return undefined;
    task.fence += 1;
    task.lease = { holder, expires: now + ttl, fence: task.fence };
    return task.lease;
  }

  post(task: ReferenceTask | undefined, id: string, text: string): boolean {
    if (!task || task.head.terminal) return false;
    this.#letters += 1;
    if (!task.letters.some((one) => one.id === id))
      task.letters.push({ id, text, seq: this.#letters, answer: undefined });
    return true;
  }

  waiting(holder: string): string[] {
    const open = this.tasks
      .filter(({ lease }) => lease?.holder === holder)
      .flatMap(({ letters }) => letters.filter(({ answer }) => answer === undefined));
    return open.sort((a, b) => a.seq - b.seq).map(({ text }) => text);
  }

  answer(task: ReferenceTask | undefined, id: string, text: string): boolean {
    const letter = task?.letters.find((one) => one.id === id && one.answer === undefined);
    if (letter) letter.answer = text;
    return letter !== undefined;
  }

  collect(task: ReferenceTask | undefined, id: string): string | undefined {
    const letter = task?.letters.find((one) => one.id === id && one.answer !== undefined);
    if (task && letter) task.letters = task.letters.filter((one) => one !== letter);
    return letter?.answer;
  }
}
