/** Instances with stores of their own on one database, and clocks and timers as they are. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { createClient, inMemory } from "../../src/index.js";
import { createServer, type AgentServer } from "../../src/server.js";
import { pivot, textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, quiet, turn, type TestClient } from "../server/agents.js";
import { serviceUrl } from "../services/service-url.js";
import { heardAll, listen, type Listener } from "./listener.js";
import { must } from "./support.js";

const postgres = serviceUrl("postgres", "tasks of other instances in PostgreSQL");
const redis = serviceUrl("redis", "tasks of other instances over Redis");

/** So many artifacts a turn, then a pause; messages that come meanwhile are taken. */
const agent = agentOf(async (ctx, m) => {
  const [count = "0", then] = textOf(m).split(" ");
  for (let n = 0; n < Number(count); n += 1) {
    // Some are more than a bus carries.
    ctx.artifact(`${textOf(m)} ${String(n)} ${"x".repeat(n % 10 === 9 ? 20_000 : 10)}`);
    if (n % 3 === 0) await turn();
    for (let more = ctx.inbox.take(); more !== undefined; more = ctx.inbox.take()) ctx.artifact(textOf(more));
  }
  return then === "stop" ? undefined : ctx.inputRequired("more?");
});

const layouts: readonly (readonly [name: string, store: string | undefined, bus: string | undefined])[] = [
  ["sqlite, without a bus", "sqlite", undefined],
  ["sqlite, told within the process", "sqlite", "memory"],
  ["postgres, without a bus", postgres, undefined],
  ["postgres, told by postgres", postgres, postgres],
  ["postgres, told by redis", postgres, redis],
];

describe.each(layouts)("%s", (_, place, bus) => {
  test.skipIf(place === undefined)(
    "a task that goes from hand to hand is followed, talked to and ended from everywhere",
    { timeout: 180_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "a2a-elsewhere-"));
      const store = place === "sqlite" ? `sqlite:${join(folder, "tasks.db")}` : must(place);
      const told = bus === "memory" ? memoryBus() : bus;
      const servers: AgentServer[] = [0, 1, 2].map(() =>
        createServer(agent, {
          logger: quiet,
          store,
          pollMs: 50,
          leaseMs: 60_000,
          ...(told && { bus: told }),
        }),
      );
      const clients: TestClient[] = servers.map((server) => createClient(pivot, inMemory(server)));
      try {
        const first = must(clients[0]);
        const { task } = await first.sendMessage({ message: userMessage("3 ask") });
        const id = must(task).id;
        const heard: Listener[] = [];
        for (let round = 0; round < 12; round += 1) {
          const after = round % 3 === 0 ? undefined : Math.max(0, round * 3 - 5);
          heard.push(listen(clients, round % 3, id, after, 3 + round * 5));
          const turns = [0, 1, 2].map(async (n) => {
            const message = userMessage(`${String(12 + n)} ask ${String(round)}`, { taskId: id });
            await must(clients[(round + n) % 3]).sendMessage({ message });
          });
          await Promise.all(turns);
        }
        const stop = userMessage("2 stop", { taskId: id });
        const ended = await must(clients[1]).sendMessage({ message: stop });
        expect(ended.task?.status.state).toBe("TASK_STATE_COMPLETED");
        await Promise.all(heard.map(({ end }) => end));
        const whole = await must(clients[2]).getTask({ id });
        for (const one of heard) heardAll(one, whole);
        const said = whole.history?.filter(({ role }) => role === "ROLE_USER").map(textOf) ?? [];
        expect(said).toHaveLength(38);
        expect(new Set(said).size).toBe(38);
        for (const strange of ["", " ", "\u0000", "'; --", "\ud800", "x".repeat(5_000)]) {
          const call = must(clients[2]).cancelTask({ id: `x${strange}` });
          await expect(call).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
          const listening = must(clients[1]).subscribeToTask({ id: `x${strange}` });
          await expect(listening.next()).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
        }
      } finally {
        for (const server of servers) await server.close({ deadlineMs: 0 });
        await rm(folder, { recursive: true });
      }
    },
  );
});
