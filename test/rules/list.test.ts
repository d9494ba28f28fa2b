/** ListTasks: filters, pages, and what a listed task shows. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/server.js";
import { textOf as pivotText } from "../../src/versions/pivot.js";
import { agentOf } from "../server/agents.js";
import { bindings, fieldsOf, historyOf, host, reasonOf, type Host, type Json } from "./support.js";

const START = Date.UTC(2030, 0, 1);

/** A clock that goes on by itself, unless it is held. */
function clock() {
  let now = START;
  let step = 1000;
  return {
    now: () => (now += step),
    hold: () => (step = 0),
  };
}

/** `ask` pauses, anything else gives an artifact; each with two notes in its history. */
const agent = agentOf(async (ctx, message) => {
  ctx.working("note 1");
  ctx.working("note 2");
  if (pivotText(message) === "ask") return ctx.inputRequired("?");
  if (pivotText(message) === "bare") return ctx.completed();
  return pivotText(message);
});

const seed = async (on: Host, count: number): Promise<Json[]> => {
  const tasks: Json[] = [];
  for (let i = 0; i < count; i += 1) {
    const text = i % 3 === 2 ? "ask" : `t${String(i)}`;
    tasks.push(await on.send(text, { contextId: `c${String(i % 2)}` }));
  }
  return tasks;
};
const ids = (tasks: Json[]): string[] => tasks.map(({ id }) => id as string);

describe.each(bindings)("over %s", (binding) => {
  it("has all four members in an empty list, and in every reply the last token empty (A2A-3.1.4-l, A2A-3.1.4-m)", async () => {
    await using on = await host(binding, agent);
    const empty = await on.ok("ListTasks");
    expect(empty).toStrictEqual({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
    await seed(on, 2);
    const first = await on.ok("ListTasks", { pageSize: 1 });
    expect(first.nextPageToken).toMatch(/./);
    const last = await on.ok("ListTasks", { pageSize: 1, pageToken: first.nextPageToken });
    expect(Object.keys(last).sort()).toEqual(["nextPageToken", "pageSize", "tasks", "totalSize"]);
    expect(last.nextPageToken).toBe("");
  });

  it("filters by context, state and time, each alone and all together (A2A-3.1.4-b, A2A-3.1.4-c, A2A-3.1.4-d)", async () => {
    const { now } = clock();
    await using on = await host(binding, agent, { now });
    const tasks = await seed(on, 12);
    const boundary = tasks[5]?.status.timestamp;
    const matrix = [undefined, "c0", "c1", "none"].flatMap((contextId) =>
      [
        undefined,
        "TASK_STATE_UNSPECIFIED",
        "TASK_STATE_INPUT_REQUIRED",
        "TASK_STATE_COMPLETED",
        "TASK_STATE_FAILED",
      ].flatMap((status) =>
        // The boundary itself is in; a millisecond later it is out; an offset names the same moment.
        [
          undefined,
          boundary,
          boundary.replace(".000Z", ".001Z"),
          boundary.replace("T00:", "T02:").replace("Z", "+02:00"),
        ].map((statusTimestampAfter) => ({ contextId, status, statusTimestampAfter })),
      ),
    );
    for (const filter of matrix) {
      const input: Json = JSON.parse(JSON.stringify(filter));
      const since = filter.statusTimestampAfter === undefined ? 0 : Date.parse(filter.statusTimestampAfter);
      const expected = tasks.filter(
        (task) =>
          (filter.contextId === undefined || task.contextId === filter.contextId) &&
          (filter.status === undefined ||
            filter.status === "TASK_STATE_UNSPECIFIED" ||
            task.status.state === filter.status) &&
          Date.parse(task.status.timestamp) >= since,
      );
      const page = await on.ok("ListTasks", { ...input, pageSize: 100 });
      expect(ids(page.tasks), JSON.stringify(input)).toEqual(ids(expected).reverse());
      expect(page.totalSize).toBe(expected.length);
      if (expected.length < 2) continue;
      // The total is that of the whole, not of the page.
      const small = await on.ok("ListTasks", { ...input, pageSize: 1 });
      expect([small.totalSize, small.pageSize, small.tasks.length]).toEqual([expected.length, 1, 1]);
    }
    const inclusive = await on.ok("ListTasks", { statusTimestampAfter: boundary });
    expect(ids(inclusive.tasks)).toContain(tasks[5]?.id);
  });

  it("takes every parameter at once, the tenant too (A2A-3.1.4-a)", async () => {
    await using on = await host(binding, agent);
    const { task } = await on.ok("SendMessage", {
      tenant: "acme",
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] },
    });
    const input = {
      tenant: "acme",
      contextId: task.contextId,
      status: "TASK_STATE_COMPLETED",
      pageSize: 7,
      pageToken: "",
      historyLength: 1,
      statusTimestampAfter: task.status.timestamp,
      includeArtifacts: true,
    };
    expect(await on.ok("ListTasks", input)).toEqual({
      tasks: [{ ...task, history: task.history.slice(-1) }],
      nextPageToken: "",
      pageSize: 7,
      totalSize: 1,
    });
    expect((await on.ok("ListTasks", { ...input, tenant: "other" })).totalSize).toBe(0);
  });

  it("takes page sizes from 1 to 100, 50 unless told, and echoes the size (A2A-3.1.4-e, A2A-3.1.4-f, A2A-3.1.4-o, A2A-3.1.4-t)", async () => {
    await using on = await host(binding, agent, { store: memoryStore() });
    await Promise.all(Array.from({ length: 101 }, () => on.send("bare")));
    const count = async (input: Json): Promise<number[]> => {
      const page = await on.ok("ListTasks", input);
      return [page.tasks.length, page.pageSize, page.totalSize];
    };
    expect(await count({})).toEqual([50, 50, 101]);
    expect(await count({ pageSize: 1 })).toEqual([1, 1, 101]);
    expect(await count({ pageSize: 100 })).toEqual([100, 100, 101]);
    for (const pageSize of [0, -1, 101, 150]) {
      const refused = await on.call("ListTasks", { pageSize });
      expect(reasonOf(refused)).toBe("INVALID_PARAMS");
      expect(fieldsOf(refused)).toEqual(["pageSize"]);
    }
  });

  it("goes on by cursor: nothing is repeated or lost while newer tasks arrive, newest first, ties in one order (A2A-3.1.4-g, A2A-3.1.4-q, A2A-3.1.4-r)", async () => {
    const { now, hold } = clock();
    await using on = await host(binding, agent, { now });
    const tasks = await seed(on, 5);
    // Ten of the same moment.
    hold();
    for (let i = 0; i < 10; i += 1) tasks.push(await on.send("tie"));
    const walk = async (disturb: () => Promise<unknown>): Promise<Json[]> => {
      const seen: Json[] = [];
      let pageToken = "";
      do {
        const page = await on.ok("ListTasks", { pageSize: 4, ...(pageToken && { pageToken }) });
        seen.push(...page.tasks);
        pageToken = page.nextPageToken;
        if (pageToken !== "") await disturb();
      } while (pageToken !== "");
      return seen;
    };
    const still = await walk(() => Promise.resolve());
    expect(new Set(ids(still))).toEqual(new Set(ids(tasks)));
    expect(still).toHaveLength(15);
    const times = still.map(({ status }) => status.timestamp as string);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(times.slice(0, 10)).size).toBe(1);
    expect(ids(await walk(() => Promise.resolve()))).toEqual(ids(still));
    // A task that is made, or that moves to the front, while the pages are read.
    const { id: oldest } = still.at(-1) ?? {};
    const disturbed = await walk(() => on.send("newer"));
    expect(ids(disturbed)).toEqual(ids(still));
    expect(ids(disturbed).at(-1)).toBe(oldest);
  });

  it("refuses a token that it did not give for this list (A2A-3.1.4-h)", async () => {
    await using on = await host(binding, agent);
    await seed(on, 6);
    const { nextPageToken } = await on.ok("ListTasks", { pageSize: 2, contextId: "c0" });
    for (const input of [
      { pageToken: "nonsense" },
      { pageToken: "%%%" },
      { pageToken: `${nextPageToken as string}x`, contextId: "c0" },
      { pageToken: nextPageToken },
      { pageToken: nextPageToken, contextId: "c1" },
      { pageToken: nextPageToken, contextId: "c0", status: "TASK_STATE_COMPLETED" },
    ]) {
      const refused = await on.call("ListTasks", input);
      expect(reasonOf(refused), JSON.stringify(input)).toBe("INVALID_PARAMS");
      expect(fieldsOf(refused)).toEqual(["pageToken"]);
    }
    expect((await on.ok("ListTasks", { pageToken: nextPageToken, contextId: "c0" })).tasks).toHaveLength(1);
  });

  it("shows no artifacts unless asked for, and history as long as asked for (A2A-3.1.4-i, A2A-3.1.4-j, A2A-3.1.4-k, A2A-3.2.4-a)", async () => {
    await using on = await host(binding, agent);
    const whole = await on.send("x");
    await on.send("bare");
    for (const input of [{}, { includeArtifacts: false }]) {
      for (const task of (await on.ok("ListTasks", input)).tasks)
        expect(Object.keys(task)).not.toContain("artifacts");
    }
    const [bare, full] = (await on.ok("ListTasks", { includeArtifacts: true })).tasks;
    expect(full).toEqual(whole);
    expect(full.artifacts[0].parts).toEqual([{ text: "x" }]);
    expect(bare.artifacts ?? []).toEqual([]);
    const texts = ["x", "note 1", "note 2"];
    for (const [historyLength, expected] of [
      [undefined, texts],
      [3, texts],
      [99, texts],
      [2, ["note 1", "note 2"]],
      [1, ["note 2"]],
    ] as const) {
      const input = historyLength === undefined ? {} : { historyLength };
      expect(historyOf((await on.ok("ListTasks", input)).tasks[1])).toEqual(expected);
    }
    for (const task of (await on.ok("ListTasks", { historyLength: 0 })).tasks)
      expect(Object.keys(task)).not.toContain("history");
    const refused = await on.call("ListTasks", { historyLength: -5 });
    expect([reasonOf(refused), fieldsOf(refused)]).toEqual(["INVALID_PARAMS", ["historyLength"]]);
  });

  it("shows a caller its own tasks only, in totals and pages too (A2A-3.1.4-p, A2A-3.1.4-s)", async () => {
    await using on = await host(binding, agent, {
      auth: ({ headers }) => ({ principal: headers["authorization"] }),
    });
    const list = (who: string, input: Json = {}) => on.ok("ListTasks", input, { authorization: who });
    const send = (who: string) =>
      on.ok(
        "SendMessage",
        { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }], contextId: "shared" } },
        { authorization: who },
      );
    const mine = [await send("alice"), await send("alice"), await send("alice")].map(({ task }) => task.id);
    const theirs = (await send("bob")).task.id;
    for (const input of [{}, { contextId: "shared" }, { status: "TASK_STATE_COMPLETED" }]) {
      const alice = await list("alice", input);
      expect([ids(alice.tasks), alice.totalSize]).toEqual([[...mine].reverse(), 3]);
      const bob = await list("bob", input);
      expect([ids(bob.tasks), bob.totalSize]).toEqual([[theirs], 1]);
      expect(await list("carol", input)).toMatchObject({ tasks: [], totalSize: 0 });
    }
    // A token of somebody else's list is no way in.
    const { nextPageToken } = await list("alice", { pageSize: 1 });
    const refused = await on.call(
      "ListTasks",
      { pageSize: 1, pageToken: nextPageToken },
      { authorization: "bob" },
    );
    expect(reasonOf(refused)).toBe("INVALID_PARAMS");
  });
});
