import { setTimeout as delay } from "node:timers/promises";
import type { MaybePromise, TaskStore } from "../../../src/store/types.js";

/** A store each of whose calls takes up to `most` milliseconds more, half of them before and half after what it does. */
export function slowStore(inner: TaskStore, most: number): TaskStore {
  async function slowly<T>(work: () => MaybePromise<T>): Promise<T> {
    await delay((Math.random() * most) / 2);
    const result = await work();
    await delay((Math.random() * most) / 2);
    return result;
  }
  return {
    ...inner,
    commit: (batch) => slowly(() => inner.commit(batch)),
    read: (scope, id, options) => slowly(() => inner.read(scope, id, options)),
    list: (scope, query) => slowly(() => inner.list(scope, query)),
    sweep: (now, limit) => slowly(() => inner.sweep(now, limit)),
    lease: {
      acquire: (scope, id, holder, now, ttl) =>
        slowly(() => inner.lease.acquire(scope, id, holder, now, ttl)),
      renew: (leases, expires) => slowly(() => inner.lease.renew(leases, expires)),
      expired: (now, limit) => slowly(() => inner.lease.expired(now, limit)),
    },
    mail: {
      post: (letter) => slowly(() => inner.mail.post(letter)),
      waiting: (holder, limit) => slowly(() => inner.mail.waiting(holder, limit)),
      answer: (letter, text) => slowly(() => inner.mail.answer(letter, text)),
      collect: (letter, options) => slowly(() => inner.mail.collect(letter, options)),
    },
  };
}
