import type { TaskStore } from "../store/types.js";
import { commitCases } from "./conformance/commit-cases.js";
import { configCases } from "./conformance/config-cases.js";
import { countCases } from "./conformance/count-cases.js";
import { durableCases } from "./conformance/durable-cases.js";
import type { ConformanceStoreOptions, MakeStore, ReopenableStore } from "./conformance/fixtures.js";
import { idCases } from "./conformance/id-cases.js";
import { leaseCases } from "./conformance/lease-cases.js";
import { listCases } from "./conformance/list-cases.js";
import { mailCases } from "./conformance/mail-cases.js";
import { outboxCases } from "./conformance/outbox-cases.js";
import { readCases } from "./conformance/read-cases.js";
import { replayCases } from "./conformance/replay-cases.js";

export type { ConformanceStoreOptions, MakeStore, ReopenableStore } from "./conformance/fixtures.js";

/** The rules, one by one. */
const conformanceCases = [
  ...commitCases,
  ...idCases,
  ...readCases,
  ...replayCases,
  ...listCases,
  ...countCases,
  ...configCases,
  ...outboxCases,
  ...leaseCases,
  ...mailCases,
  ...durableCases,
];

/** The test runner: `test` of vitest, node:test, jest, bun. */
export interface ConformanceHost {
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

/**
 * Proves that a store keeps the contract of `TaskStore`; every case gets an empty store of its own, and closes it.
 * ```ts
 * import { test } from "node:test";
 * import { storeConformance } from "a2a-typed/testing";
 * storeConformance("my store", (options) => myStore(options), { test });
 * ```
 * A store whose data outlive it gives `{ store, reopen }` instead: `reopen()` opens another store on the same data.
 */
export function storeConformance(name: string, makeStore: MakeStore, { test }: ConformanceHost): void {
  for (const rule of conformanceCases) {
    test(`${name}: ${rule.name}`, async () => {
      const closing: (() => unknown)[] = [];
      const reopens = new Map<TaskStore, ReopenableStore["reopen"]>();
      const opened = (store: TaskStore, reopen?: ReopenableStore["reopen"]): TaskStore => {
        closing.push(() => store.close?.());
        if (reopen !== undefined) reopens.set(store, reopen);
        return store;
      };
      const make = Object.assign(
        async (options: ConformanceStoreOptions): Promise<TaskStore> => {
          const made = await makeStore(options);
          return "reopen" in made ? opened(made.store, () => made.reopen()) : opened(made);
        },
        {
          async again(store: TaskStore): Promise<TaskStore | undefined> {
            const reopen = reopens.get(store);
            if (reopen === undefined) return undefined;
            await store.close?.();
            return opened(await reopen(), reopen);
          },
        },
      );
      try {
        await rule.run(make);
      } finally {
        for (const close of closing.toReversed()) await close();
      }
    });
  }
}
