/** The webhook of the shared wire vectors, in every version. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { receiver } from "./receiver.js";
import { hook, storeWith, work } from "./support.js";

interface WebhookVector {
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

const { webhook } = JSON.parse(
  readFileSync(new URL("../vectors/shared/wire.json", import.meta.url), "utf8"),
) as { readonly webhook: Record<"v0.3" | "v1.0", WebhookVector> };
const text = JSON.stringify(webhook["v1.0"].body);

test.each([
  ["1.0", webhook["v1.0"]],
  ["0.3", webhook["v0.3"]],
  // 0.2 and 0.3 are one family: the task is the same.
  ["0.2", webhook["v0.3"]],
])("%s", async (version, { headers, body }) => {
  await using hooked = await receiver();
  const authentication = { scheme: "Bearer", credentials: "cred" };
  const config = hook("x", hooked.url, { version, token: "tok", authentication });
  await using worker = work(storeWith([config], [{ configId: "x", n: 1, text }]));
  await worker.idle();
  expect(hooked.bodies).toEqual([body]);
  const expected = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  expect(hooked.requests[0]?.headers).toMatchObject(Object.fromEntries(expected) as object);
});

test("of a registration that changed from 1.0 to 0.x, what waited and is no task is not sent", async () => {
  await using hooked = await receiver();
  const status = { state: "TASK_STATE_WORKING" };
  const waited = { statusUpdate: { taskId: "t", contextId: "c", status } };
  const store = storeWith(
    [hook("x", hooked.url, { version: "0.3" })],
    [
      { configId: "x", n: 1, text: JSON.stringify(waited) },
      { configId: "x", n: 2, text },
    ],
  );
  await using worker = work(store);
  await worker.idle();
  expect(hooked.bodies).toEqual([webhook["v0.3"].body]);
  expect(store.pending()).toEqual([]);
});

test("of a version that nobody knows, nothing is sent", async () => {
  await using hooked = await receiver();
  const store = storeWith([hook("x", hooked.url, { version: "7.0" })], [{ configId: "x", n: 1, text }]);
  await using worker = work(store);
  await worker.idle();
  expect(hooked.requests).toEqual([]);
  expect(worker.log).toContainEqual(["warn", expect.stringContaining("7.0")]);
});
