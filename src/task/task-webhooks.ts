import type { NewDelivery, StoredConfig } from "../store/types.js";
import { webhookForm } from "../versions/webhook-form.js";
import type { EventRecord } from "./event-record.js";
import type { LiveTask } from "./live-task.js";
import type { TaskHost } from "./task-host.js";
import type { TextRecord } from "./text-record.js";

/**
 * The webhooks of a live task, and what the next commit puts into the outbox for them. A webhook gets the events that
 * are logged while it is registered: none before, none after.
 */
export class TaskWebhooks {
  /** Registrations of a stored task are still being looked up. */
  loading = false;
  readonly #host: Pick<TaskHost, "wanted" | "report">;
  /** Whether each gets the whole task, by id. */
  readonly #hooks = new Map<string, boolean>();
  /** Ids that went while others were being looked up. */
  readonly #removed = new Set<string>();
  #rows: NewDelivery[] = [];
  /** Events that were logged meanwhile, each with the text of the task where it changes the status. */
  #held: { readonly record: EventRecord | TextRecord; readonly task: string | undefined }[] = [];

  constructor(host: Pick<TaskHost, "wanted" | "report">) {
    this.#host = host;
  }

  add({ id, version, disabled = false }: StoredConfig): void {
    this.#removed.delete(id);
    if (disabled) this.#hooks.delete(id);
    else this.#hooks.set(id, webhookForm(version).wholeTask);
  }

  /** What is logged from now on does not go to it. */
  remove(id: string): void {
    this.#hooks.delete(id);
    if (this.loading) this.#removed.add(id);
  }

  /** The registrations of a stored task: they get what was logged since it became live. */
  loaded(configs: readonly StoredConfig[]): void {
    const known = new Set(this.#hooks.keys());
    const held = this.#held;
    this.loading = false;
    this.#held = [];
    for (const config of configs) {
      if (known.has(config.id) || this.#removed.has(config.id)) continue;
      this.add(config);
      const whole = this.#hooks.get(config.id);
      if (whole === undefined) continue;
      for (const { record, task } of held) this.#write(config.id, record, whole ? task : record.text);
    }
    this.#removed.clear();
  }

  /** An event was logged; `live` is as it left it. */
  event(record: EventRecord | TextRecord, live: LiveTask): void {
    if (this.#host.wanted !== undefined && !this.#isWanted(record, live)) return;
    let task: string | undefined;
    const wholeTask = (): string | undefined => {
      if (record.state !== undefined) task ??= `{"task":${live.text().text}}`;
      return task;
    };
    for (const [id, whole] of this.#hooks) this.#write(id, record, whole ? wholeTask() : record.text);
    if (this.loading) this.#held.push({ record, task: wholeTask() });
  }

  /** Deliveries for the next commit, in order per webhook. */
  take(): NewDelivery[] | undefined {
    if (this.#rows.length === 0) return undefined;
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** A filter that fails loses nothing. */
  #isWanted(record: EventRecord | TextRecord, live: LiveTask): boolean {
    try {
      return this.#host.wanted?.(record.value(), live.task) !== false;
    } catch (error) {
      this.#host.report(`task ${live.id}: the filter of webhook events failed`, error);
      return true;
    }
  }

  #write(configId: string, { n }: Pick<EventRecord, "n">, text: string | undefined): void {
    if (text !== undefined) this.#rows.push({ configId, n, text });
  }
}
