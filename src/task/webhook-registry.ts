import type { Scope, StoredConfig, TaskStore } from "../store/types.js";
import { allConfigs } from "./all-configs.js";
import type { OutboxReader } from "./engine-options.js";
import type { LiveTask } from "./live-task.js";
import { settledNow } from "./visit.js";

/** What registrations need of the engine around them. */
export interface WebhookRegistryHost {
  store(): Pick<TaskStore, "configs">;
  readonly push: OutboxReader | undefined;
  peek(scope: Scope, id: string): LiveTask | undefined;
}

/** Registers webhooks in the store, and with the task where it is live. */
export class WebhookRegistry {
  readonly #host: WebhookRegistryHost;

  constructor(host: WebhookRegistryHost) {
    this.#host = host;
  }

  /** Registers one; false where the task is gone. It gets what happens from now on. */
  async add(scope: Scope, taskId: string, config: StoredConfig): Promise<boolean> {
    const kept = await this.#host.store().configs.put(scope, taskId, config);
    if (kept) this.#host.peek(scope, taskId)?.addWebhook(config);
    return kept;
  }

  /** Forgets one with all that waits for it. */
  async remove(scope: Scope, taskId: string, id: string): Promise<void> {
    const live = this.#host.peek(scope, taskId);
    live?.removeWebhook(id);
    // A commit on its way may carry deliveries: they must be there before they are deleted.
    if (live !== undefined) await settledNow(live);
    await this.#host.store().configs.delete(scope, taskId, id);
    // It may have become live meanwhile.
    this.stop(scope, taskId, id);
    this.#host.push?.dropped(scope, taskId, id);
  }

  /** Writes no more deliveries for one that is still registered. */
  stop(scope: Scope, taskId: string, id: string): void {
    this.#host.peek(scope, taskId)?.removeWebhook(id);
  }

  /** Looks those up that a stored task has, unless nobody delivers. */
  find(live: LiveTask): void {
    if (this.#host.push === undefined) return;
    live.findWebhooks(() => allConfigs(this.#host.store(), live.scope, live.id));
  }
}
