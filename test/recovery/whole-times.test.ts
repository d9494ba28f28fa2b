import { expect, test } from "vitest";
import { agentOf, turn } from "../server/agents.js";
import { instance, open, shared, until } from "./support.js";

test("leases end at whole milliseconds, however clocks are compared and long they last", async () => {
  const on = shared();
  // The middle of a question that took 1 ms is no whole number.
  let now = on.now;
  const agent = agentOf(() => new Promise<never>(() => undefined));
  const store = { ...on.store, clock: () => on.now };
  const a = instance(agent, on, { store, leaseMs: 3_000.25, now: () => (now += 1) });
  await turn();
  const { id } = await open(a, "hi");
  await until(async () => (await on.read(id)).lease !== undefined);
  const ends = [(await on.read(id)).lease?.expires];
  await a.look();
  ends.push((await on.read(id)).lease?.expires);
  expect(ends.map(Number.isInteger)).toEqual([true, true]);
  expect(ends[0]).not.toBe(ends[1]);
});
