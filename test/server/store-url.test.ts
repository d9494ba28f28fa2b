/** `store: "sqlite:…"` and the like: opened when used, found again after a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createClient, inMemory, jsonRpc } from "../../src/index.js";
import { createServer, serve } from "../../src/server.js";
import { openStore } from "../../src/server/open-store.js";
import { birth, alice } from "../../src/testing/conformance/fixtures.js";
import { pivot, textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, quiet } from "./agents.js";

const dir = mkdtempSync(join(tmpdir(), "a2a-url-"));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

const echo = agentOf(async function* (_ctx, message) {
  yield textOf(message);
});
const stores = (name: string): string[] => [`sqlite:${join(dir, `${name}.db`)}`, `files:${join(dir, name)}`];

describe("a store named by its URL", () => {
  test.each(stores("served"))("%s: a task outlives the server", async (store) => {
    const { id, task } = await (async () => {
      await using server = await serve(echo, { port: 0, logger: quiet, store });
      await using client = createClient(pivot, jsonRpc({ url: server.url }));
      const sent = await client.sendMessage({ message: userMessage("hello") });
      return { id: sent.task?.id ?? "", task: sent.task };
    })();
    await using server = await serve(echo, { port: 0, logger: quiet, store });
    await using client = createClient(pivot, jsonRpc({ url: server.url }));
    expect(await client.getTask({ id })).toEqual(task);
    expect((await client.listTasks({})).totalSize).toBe(1);
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test.each(stores("lazy"))("%s: a server without a socket opens it at first use", async (store) => {
    await using server = createServer(echo, { logger: quiet, store });
    await using client = createClient(pivot, inMemory(server));
    const { task } = await client.sendMessage({ message: userMessage("hello") });
    expect(await client.getTask({ id: task?.id ?? "" })).toEqual(task);
  });

  test("once open, it answers without promises", async () => {
    const { store, ready } = openStore(`sqlite:${join(dir, "forward.db")}`);
    expect(store.hints).toEqual({ group: true, durable: true });
    expect(store.commit([birth("a")])).toBeInstanceOf(Promise);
    await ready();
    expect(store.read(alice, "a")).toMatchObject({ revision: 1 });
    await store.close?.();
  });

  test("a path that cannot be had fails at start; passwords are not repeated", async () => {
    const store = `sqlite:${join(dir, "missing", "tasks.db")}`;
    await expect(serve(echo, { port: 0, logger: quiet, store })).rejects.toMatchObject({
      reason: "CONFIG",
      message: expect.stringContaining("missing"),
    });
    expect(() => openStore("mysql://root:secret@localhost/a")).toThrow(/^(?!.*secret).*"mysql"/);
  });
});
