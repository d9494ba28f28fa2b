import { afterEach, expect, it, vi } from "vitest";
import { memoryStore, type TaskStore } from "../../src/server.js";
import type { CommitEntry } from "../../src/store/types.js";
import { call, coreServer, idIn, messageOf } from "./core.js";

afterEach(() => void vi.restoreAllMocks());

/** A memory store, and what is written to it. */
function counting(): { store: TaskStore; commits: CommitEntry[][]; reads: number } {
  const inner = memoryStore();
  const seen = { commits: [] as CommitEntry[][], reads: 0 };
  const store: TaskStore = {
    ...inner,
    commit: (batch) => {
      seen.commits.push([...batch]);
      return inner.commit(batch);
    },
    read: (...asked) => {
      seen.reads++;
      return inner.read(...asked);
    },
  };
  return Object.assign(seen, { store });
}

/** Calls of JSON.stringify while `run` does its work. */
async function stringified(run: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(JSON, "stringify");
  await run();
  const count = spy.mock.calls.length;
  spy.mockRestore();
  return count;
}

it("a message that is answered at once is written at most twice in memory: as it begins and as it ends", async () => {
  const { store, commits } = counting();
  const answer = await call(coreServer(store), "SendMessage", messageOf("hello"));
  expect(answer).toContain("TASK_STATE_COMPLETED");
  expect(commits.length).toBeLessThanOrEqual(2);
  expect(commits.flat().length).toBeLessThanOrEqual(2);
});

it("once a store has answered at once, it is one write: the task as it ended, no event by itself", async () => {
  const { store, commits } = counting();
  const server = coreServer(store);
  await call(server, "SendMessage", messageOf("hello"));
  commits.length = 0;
  const answer = await call(server, "SendMessage", messageOf("hello"));
  expect(answer).toContain("TASK_STATE_COMPLETED");
  expect(commits.map((batch) => batch.map(({ expect: on, events }) => [on, events.length]))).toEqual([
    [[0, 0]],
  ]);
});

it("where commits are grouped it is one write: task, message and end together, no event by itself", async () => {
  const { store, commits } = counting();
  const later: TaskStore = {
    ...store,
    hints: { group: true },
    commit: async (batch) => store.commit(batch),
  };
  const answer = await call(coreServer(later), "SendMessage", messageOf("hello"));
  expect(answer).toContain("TASK_STATE_COMPLETED");
  expect(commits.map((batch) => batch.map(({ events }) => events.length))).toEqual([[0]]);
});

it("GetTask reads the store once and writes nothing", async () => {
  const seen = counting();
  const server = coreServer(seen.store);
  const id = idIn(await call(server, "SendMessage", messageOf("hello")));
  const [writes, reads] = [seen.commits.length, seen.reads];
  await call(server, "GetTask", { id });
  expect([seen.commits.length - writes, seen.reads - reads]).toEqual([0, 1]);
});

it("a stream is written once in a tick, each event once, with few snapshots", async () => {
  const { store, commits } = counting();
  const text = await call(coreServer(store), "SendStreamingMessage", messageOf("stream:1600"));
  const entries = commits.flat();
  const written = entries.flatMap(({ events }) => events.map(({ n }) => n));
  const sent = text.split("\n\n").length - 1;
  expect(sent).toBe(1603);
  expect(written).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
  // 100 breaths, the beginning and the end.
  expect(commits.length).toBeLessThanOrEqual(104);
  // One at the beginning and at the end, and one for every 256 events or 64 kB.
  expect(entries.filter(({ snapshot }) => snapshot !== undefined).length).toBeLessThanOrEqual(12);
});

it("an event of a stream is turned into text once", async () => {
  const server = coreServer();
  const [few, many] = [
    await stringified(() => call(server, "SendStreamingMessage", messageOf("stream:160"))),
    await stringified(() => call(server, "SendStreamingMessage", messageOf("stream:1760"))),
  ];
  expect((many - few) / 1600).toBeLessThanOrEqual(1.02);
});

it("the text of an event is shared by all who follow the task", async () => {
  const server = coreServer();
  const listen = async (followers: number): Promise<number> =>
    stringified(async () => {
      const started = await call(server, "SendMessage", {
        ...messageOf("stream:160"),
        configuration: { returnImmediately: true },
      });
      const id = idIn(started);
      const texts = await Promise.all(
        Array.from({ length: followers }, () => call(server, "SubscribeToTask", { id })),
      );
      for (const text of texts) expect(text).toContain("token 159");
    });
  const [one, many] = [await listen(1), await listen(21)];
  // What each follower costs is its request and its first event, however many events follow.
  expect((many - one) / 20).toBeLessThanOrEqual(6);
});

it("a reply takes few calls of JSON.stringify", async () => {
  const server = coreServer();
  await call(server, "SendMessage", messageOf("hello"));
  const request = 1;
  expect(await stringified(() => call(server, "SendMessage", messageOf("hello")))).toBeLessThanOrEqual(
    request + 4,
  );
  const id = idIn(await call(server, "SendMessage", messageOf("hello")));
  expect(await stringified(() => call(server, "GetTask", { id }))).toBeLessThanOrEqual(request + 1);
});

it("a request is walked few times: checked by its table once, copied into the task, written once", async () => {
  const server = coreServer();
  let reads = 0;
  const { message } = messageOf("hello");
  const watched = Object.defineProperty({ ...message }, "messageId", {
    enumerable: true,
    get: () => {
      reads++;
      return message.messageId;
    },
  });
  expect(await call(server, "SendMessage", { message: watched }, { asText: false })).toContain(
    "TASK_STATE_COMPLETED",
  );
  expect(reads).toBeLessThanOrEqual(4);
});
