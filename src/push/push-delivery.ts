import { parseAllowList } from "../net/allow-list.js";
import type { TargetGuard } from "../net/target-guard.js";
import { pushSettings, type PushOptions, type PushSettings } from "./options.js";
import { lazySender } from "./lazy-sender.js";
import type { PushDelivery, PushHost, StartedPush } from "./types.js";
import type { TaskStore } from "../store/types.js";
import type { PushWorker } from "./worker.js";

/**
 * Delivers webhooks from the outbox of the store. Addresses inside the network are refused unless `allow` names them.
 * Throws `CONFIG` for options that cannot work.
 */
export function pushDelivery(options: PushOptions = {}): PushDelivery {
  const settings = pushSettings(options);
  const allow = parseAllowList(settings.allow);
  // What only delivery needs is loaded when there is something to deliver or to check.
  let guard: Promise<TargetGuard> | undefined;
  const loadGuard = (): Promise<TargetGuard> =>
    (guard ??= import("../net/target-guard.js").then(({ createTargetGuard }) =>
      createTargetGuard({ ...settings, allow }),
    ));
  return {
    start: (store, host) => start(store, host, settings, loadGuard),
    async check({ url }) {
      const description = (await loadGuard()).problem(url);
      return description === undefined ? undefined : { field: "url", description };
    },
  };
}

/** Whether a value is a delivery, and not options for one. */
export const isPushDelivery = (push: PushDelivery | PushOptions): push is PushDelivery => "start" in push;

function start(
  store: TaskStore,
  host: PushHost,
  settings: PushSettings,
  loadGuard: () => Promise<TargetGuard>,
): StartedPush {
  const loading = import("./worker.js").then(({ createWorker }) =>
    createWorker(store, host, lazySender(loadGuard, settings.timeoutMs), settings),
  );
  loading.catch((error: unknown) => {
    host.log.error("push: delivery could not start", error);
  });
  let worker: PushWorker | undefined;
  void loading.then((loaded) => (worker = loaded), ignore);
  return {
    // A worker looks by itself when it starts.
    wake: () => worker?.wake(),
    dropped: (scope, taskId, configId) => worker?.dropped(scope, taskId, configId),
    async [Symbol.asyncDispose]() {
      const loaded = await loading.catch(ignore);
      await loaded?.[Symbol.asyncDispose]();
    },
  };
}

const ignore = (): undefined => undefined;
