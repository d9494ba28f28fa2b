import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { postgresStore } from "../../src/postgres.js";
import type { CommitEntry } from "../../src/store/types.js";
import { freePort } from "../services/free-port.js";
import { serviceUrl } from "../services/service-url.js";
import { newSchema } from "./postgres-fixture.js";

const url = serviceUrl("postgres", "a commit whose answer is lost") ?? "";
const task = { scope: { tenant: "", owner: "" }, taskId: "t", fence: 0 };
const head = { contextId: "c", state: "S", timestamp: "2030-01-01T00:00:00.000Z", terminal: false };

test.skipIf(url === "")(
  "a commit whose answer is lost is known when it comes again; another's is a conflict",
  async () => {
    const target = new URL(url);
    const port = await freePort();
    let armed = false;
    const proxy = createServer((socket) => {
      const server = connect(Number(target.port), target.hostname);
      socket.on("data", (data) => server.write(data));
      server.on("data", (data) => {
        // The server has committed, and nobody hears of it.
        if (armed && data.includes("COMMIT\0")) {
          armed = false;
          socket.destroy();
          server.destroy();
        } else socket.write(data);
      });
      for (const one of [socket, server]) one.on("error", () => undefined);
      socket.on("close", () => server.destroy());
      server.on("close", () => socket.destroy());
    }).listen(port, "127.0.0.1");
    await once(proxy, "listening");
    const through = new URL(url);
    through.port = String(port);
    const store = await postgresStore({ url: through.href, schema: newSchema() });
    const snapshot = { at: 1, received: 0, text: "{}" };
    await store.commit([{ ...task, expect: 0, head, events: [{ n: 1, text: "1" }], snapshot }]);
    const entry: CommitEntry = { ...task, expect: 1, events: [{ n: 2, text: "2" }] };
    armed = true;
    await expect((async () => store.commit([entry]))()).rejects.toThrow();
    expect(await store.commit([{ ...entry }])).toEqual(["conflict"]);
    expect(await store.commit([entry])).toEqual(["ok"]);
    const stored = await store.read(task.scope, "t", { after: 0 });
    expect(stored?.events).toEqual([
      { n: 1, text: "1" },
      { n: 2, text: "2" },
    ]);
    await store.close?.();
    proxy.close();
  },
);
