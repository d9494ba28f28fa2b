/** What a webhook gets, in which order, and how many at a time. */
import { describe, expect, test } from "vitest";
import { receiver } from "./receiver.js";
import { hook, rows, storeWith, testStore, work } from "./support.js";

const numbers = (bodies: readonly unknown[]): number[] => bodies.map((body) => (body as { n: number }).n);

describe("a delivery", () => {
  test("is a POST of the event with token, credentials and version (A2A-4.3.3-a, A2A-4.3.3-c, A2A-13.2-a, A2A-SA-g)", async () => {
    await using hooked = await receiver();
    const authentication = { scheme: "Bearer", credentials: "cred" };
    const store = storeWith([hook("x", `${hooked.url}?a=1`, { token: "tok", authentication })], rows("x", 1));
    await using worker = work(store);
    await worker.idle();
    const [request] = hooked.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: "/hook?a=1",
      body: '{"n":1}',
      headers: {
        "content-type": "application/a2a+json",
        authorization: "Bearer cred",
        "x-a2a-notification-token": "tok",
        "a2a-version": "1.0",
        "user-agent": "a2a-typed",
      },
    });
    expect(store.pending()).toEqual([]);
  });

  test("has no headers for what was not registered; the name of the token header can be chosen", async () => {
    await using hooked = await receiver();
    const store = storeWith(
      [hook("bare", `${hooked.url}/bare`), hook("named", `${hooked.url}/named`, { token: "tok" })],
      [...rows("bare", 1), ...rows("named", 1)],
    );
    await using worker = work(store, { tokenHeader: "A2A-Notification-Token" });
    await worker.idle();
    const of = (end: string) => hooked.requests.find(({ path }) => path.endsWith(end))?.headers ?? {};
    expect(Object.keys(of("bare"))).not.toContain("authorization");
    expect(Object.keys(of("bare"))).not.toContain("x-a2a-notification-token");
    expect(of("named")["a2a-notification-token"]).toBe("tok");
    expect(Object.keys(of("named"))).not.toContain("x-a2a-notification-token");
  });

  test("sends the scheme as it was registered, and credentials without one alone", async () => {
    await using hooked = await receiver();
    const store = storeWith(
      [
        hook("lower", hooked.url, { authentication: { scheme: "bearer", credentials: "abc" } }),
        hook("bare", hooked.url, { authentication: { scheme: "", credentials: "Basic eA==" } }),
        hook("none", hooked.url, { authentication: { scheme: "Bearer" } }),
      ],
      [...rows("lower", 1), ...rows("bare", 1), ...rows("none", 1)],
    );
    await using worker = work(store, { concurrency: 1 });
    await worker.idle();
    expect(hooked.requests.map(({ headers }) => headers.authorization)).toEqual([
      "bearer abc",
      "Basic eA==",
      undefined,
    ]);
  });
});

test("the status of an answer counts, however long the rest of it takes", async () => {
  await using hooked = await receiver("endless");
  const store = storeWith([hook("x", hooked.url)], rows("x", 1));
  await using worker = work(store, { timeoutMs: 200 });
  await worker.idle();
  expect(store.pending()).toEqual([]);
  expect(worker.log).toEqual([]);
});

describe("order", () => {
  test("is that of the events, one at a time per registration, also under a receiver that is slow", async () => {
    await using hooked = await receiver();
    const gates: (() => void)[] = [];
    hooked.answers = () =>
      new Promise((resolve) =>
        gates.push(() => {
          resolve(200);
        }),
      );
    const store = storeWith([hook("x", hooked.url)], rows("x", 5));
    await using worker = work(store);
    for (let n = 1; n <= 5; n += 1) {
      await hooked.arrived(n);
      worker.wake();
      gates[n - 1]?.();
    }
    await worker.idle();
    expect(numbers(hooked.bodies)).toEqual([1, 2, 3, 4, 5]);
    expect(hooked.most).toBe(1);
  });

  test("survives failures: nothing overtakes an event that is tried again", async () => {
    await using hooked = await receiver(200, 503, 503, 200);
    const store = storeWith([hook("x", hooked.url)], rows("x", 4));
    await using worker = work(store);
    await worker.idle();
    expect(numbers(hooked.bodies)).toEqual([1, 2]);
    await worker.advance(10_000);
    expect(numbers(hooked.bodies)).toEqual([1, 2, 2]);
    await worker.advance(10_000);
    expect(numbers(hooked.bodies)).toEqual([1, 2, 2, 2, 3, 4]);
  });

  test("of one registration does not hold up another", async () => {
    await using stuck = await receiver("hang");
    await using quick = await receiver();
    const store = storeWith(
      [hook("stuck", stuck.url), hook("quick", quick.url)],
      [...rows("stuck", 3), ...rows("quick", 3)],
    );
    await using worker = work(store, { closeMs: 0 });
    await quick.arrived(3);
    await stuck.arrived(1);
    expect(numbers(quick.bodies)).toEqual([1, 2, 3]);
    worker.dropped({ tenant: "", owner: "alice" }, "t1", "stuck");
  });

  test("many registrations share a limit, and those that wait get their turn", async () => {
    await using hooked = await receiver();
    const gates: (() => void)[] = [];
    hooked.answers = () =>
      new Promise((resolve) =>
        gates.push(() => {
          resolve(200);
        }),
      );
    const store = testStore();
    const tasks = ["a", "b", "c", "d", "e"];
    for (const id of tasks) storeWith([hook(id, `${hooked.url}/${id}`)], rows(id, 2), id, store);
    await using worker = work(store, { concurrency: 2 });
    for (let n = 1; n <= 10; n += 1) {
      await hooked.arrived(Math.min(10, n + 1));
      gates[n - 1]?.();
    }
    await worker.idle();
    expect([hooked.most, store.mostClaimed()]).toEqual([2, 2]);
    // Five tasks with two events each: everyone had the first before anyone had the second.
    expect(numbers(hooked.bodies).toSorted()).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    expect(numbers(hooked.bodies).slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
  });
});
