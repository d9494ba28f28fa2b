import { expect, test } from "vitest";
import { agentOf, turn } from "../server/agents.js";
import { instance, LEASE, open, shared, until } from "./support.js";

test("a store that takes its time to open is asked for the time again: what it says is no older than the question", async () => {
  const on = shared();
  let asked = 0;
  const clock = async (): Promise<number> => {
    if ((asked += 1) === 1) on.now += 3 * LEASE;
    await turn();
    return on.now;
  };
  const agent = agentOf(() => new Promise<never>(() => undefined));
  const store = { ...on.store, clock };
  const late = instance(agent, on, { store });
  await until(() => asked > 1);
  await turn();
  const { id } = await open(instance(agent, on), "hi");
  await until(async () => (await on.read(id)).lease !== undefined);
  expect(await late.look()).toBe(0);
  on.now += LEASE + 1;
  expect(await late.look()).toBe(1);
});

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
