import type { TaskStore } from "../store/types.js";
import { commitCases } from "./conformance/commit-cases.js";
import { configCases } from "./conformance/config-cases.js";
import type { ConformanceStoreOptions, MakeStore } from "./conformance/fixtures.js";
import { leaseCases } from "./conformance/lease-cases.js";
import { listCases } from "./conformance/list-cases.js";
import { readCases } from "./conformance/read-cases.js";

export type { ConformanceStoreOptions, MakeStore } from "./conformance/fixtures.js";

/** The rules, one by one. */
const conformanceCases = [...commitCases, ...readCases, ...listCases, ...configCases, ...leaseCases];

/** The test runner: `test` of vitest, node:test, jest, bun. */
export interface ConformanceHost {
  readonly test: (name: string, run: () => Promise<void>) => unknown;
}

/**
 * Proves that a store keeps the contract of `TaskStore`; every case gets an empty store of its own, and closes it.
 * ```ts
 * import { test } from "node:test";
 * import { storeConformance } from "a2a-typed/testing";
 * storeConformance("my store", ({ ttl, replayWindow }) => myStore({ ttl, replayWindow }), { test });
 * ```
 */
export function storeConformance(name: string, makeStore: MakeStore, { test }: ConformanceHost): void {
  for (const rule of conformanceCases) {
    test(`${name}: ${rule.name}`, async () => {
      const closing: (() => unknown)[] = [];
      const make = async (options: ConformanceStoreOptions): Promise<TaskStore> => {
        const store = await makeStore(options);
        closing.push(() => store.close?.());
        return store;
      };
      try {
        await rule.run(make);
      } finally {
        for (const close of closing) await close();
      }
    });
  }
}
