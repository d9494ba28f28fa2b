import type { MaybePromise, StoreHints, TaskStore } from "../store/types.js";

/** A store that opens when it is first used. */
export interface LazyStore extends TaskStore {
  /** Opens it now; rejects where it cannot be opened. */
  open(): Promise<void>;
}

/**
 * A store whose opening takes time and packages. Its hints are known before; once open, it answers as the store itself does,
 * without promises. After an opening that failed the next use tries again. `shared`: it has a clock of its own.
 */
export function lazyStore(
  opening: () => MaybePromise<TaskStore>,
  hints: StoreHints,
  shared = false,
): LazyStore {
  let opened: TaskStore | undefined;
  let pending: Promise<TaskStore> | undefined;
  const open = (): Promise<TaskStore> => {
    pending ??= (async () => {
      try {
        return (opened = await opening());
      } catch (error) {
        pending = undefined;
        throw error;
      }
    })();
    return pending;
  };
  const on = <T>(use: (store: TaskStore) => MaybePromise<T>): MaybePromise<T> =>
    opened === undefined ? open().then(use) : use(opened);

  return {
    hints,
    async open() {
      await open();
    },
    commit: (batch) => on((store) => store.commit(batch)),
    read: (scope, taskId, options) => on((store) => store.read(scope, taskId, options)),
    list: (scope, query) => on((store) => store.list(scope, query)),
    delete: (scope, taskId) => on((store) => store.delete(scope, taskId)),
    sweep: (now, limit) => on((store) => store.sweep(now, limit)),
    configs: {
      put: (scope, taskId, config) => on(({ configs }) => configs.put(scope, taskId, config)),
      get: (scope, taskId, id) => on(({ configs }) => configs.get(scope, taskId, id)),
      list: (scope, taskId, page) => on(({ configs }) => configs.list(scope, taskId, page)),
      delete: (scope, taskId, id) => on(({ configs }) => configs.delete(scope, taskId, id)),
    },
    outbox: {
      claim: (holder, now, ttl, limit) => on(({ outbox }) => outbox.claim(holder, now, ttl, limit)),
      ack: (delivery, options) => on(({ outbox }) => outbox.ack(delivery, options)),
    },
    lease: {
      acquire: (scope, taskId, holder, now, ttl) =>
        on(({ lease }) => lease.acquire(scope, taskId, holder, now, ttl)),
      renew: (leases, expires) => on(({ lease }) => lease.renew(leases, expires)),
      expired: (now, limit) => on(({ lease }) => lease.expired(now, limit)),
    },
    mail: {
      post: (letter) => on(({ mail }) => mail.post(letter)),
      waiting: (holder, limit) => on(({ mail }) => mail.waiting(holder, limit)),
      answer: (letter, text) => on(({ mail }) => mail.answer(letter, text)),
      collect: (letter, options) => on(({ mail }) => mail.collect(letter, options)),
    },
    ...(shared && { clock: () => on((store) => store.clock?.() ?? Date.now()) }),
    async close() {
      const store = await pending?.catch(() => undefined);
      await store?.close?.();
    },
  };
}
