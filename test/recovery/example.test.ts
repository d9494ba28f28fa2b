import { expect, test } from "vitest";
import { stepAgent, type Step } from "../../examples/rerun.js";
import { instance, LEASE, open, shared, until } from "./support.js";

test("the example of docs/recovery.md goes on with the first step that is not done", async () => {
  const on = shared();
  const calls: string[] = [];
  const step =
    (name: string): Step =>
    () => {
      calls.push(name);
      // The process of the first attempt dies in the second step.
      return calls.filter((call) => call === "two").length === 1 && name === "two"
        ? new Promise<never>(() => undefined)
        : Promise.resolve(`${name} is done`);
    };
  const agent = stepAgent(["one", "two", "three"].map(step));
  const [a, b] = [instance(agent, on), instance(agent, on)];
  const { id } = await open(a, "go");
  await until(() => Promise.resolve(calls.includes("two")));
  on.now += LEASE + 1;
  expect(await b.look()).toBe(1);
  await until(async () => (await b.client.getTask({ id })).status.state === "TASK_STATE_COMPLETED");
  const { artifacts } = await b.client.getTask({ id });
  expect(artifacts?.map(({ parts }) => parts[0]?.text)).toEqual([
    "one is done",
    "two is done",
    "three is done",
  ]);
  expect(calls).toEqual(["one", "two", "two", "three"]);
});
