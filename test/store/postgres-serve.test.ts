import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { defineAgent, serve } from "../../src/server.js";
import { callerOf, say, textOf, type Frame, type Opened } from "../rules/support.js";
import { quiet, skill } from "../server/agents.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import { ask } from "./postgres-fixture.js";

/** Follows a task to its end, resuming where a stream ends before the task does. */
async function follow(caller: ReturnType<typeof callerOf>, into: Frame[]): Promise<void> {
  const isOver = ({ event }: Frame): boolean =>
    ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED"].includes(event.statusUpdate?.status.state as string);
  let stream: Opened = await caller.stream("SendStreamingMessage", say("go"));
  for (;;) {
    if (stream.refused === undefined) {
      for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) {
        // A stream may end with an error; what was seen so far counts.
        if (frame.event !== undefined) into.push(frame);
        if (frame.event !== undefined && isOver(frame)) return;
      }
    }
    await delay(50);
    const id = String(into[0]?.event.task.id);
    stream = await caller.stream("SubscribeToTask", { id }, { "last-event-id": String(into.at(-1)?.id) });
  }
}

describe.skipIf(postgresBin() === undefined)(
  "an agent on a PostgreSQL that is killed in the middle of its tasks",
  () => {
    test("ends them: no event is lost or repeated, and streams show what GetTask gives", async () => {
      await using postgres = await startPostgres();
      let done = false;
      const agent = defineAgent({
        card: { name: "Counter", description: "Counts.", skills: [skill] },
        async *handle() {
          for (let i = 0; !done; i += 1) {
            yield `${String(i)} `;
            await delay(5);
          }
        },
      });
      // Where the server is away for long, the lease runs out and the task is FAILED; else it is COMPLETED.
      await using server = await serve(agent, {
        port: 0,
        store: postgres.url,
        leaseMs: 3_000,
        logger: quiet,
      });
      const caller = callerOf(server.url, "JSONRPC");
      const seen: Frame[][] = [];
      for (let kills = 0; kills < 2; kills += 1) {
        done = false;
        const now: Frame[][] = [[], [], []];
        const following = Promise.all(now.map((frames) => follow(caller, frames)));
        while (now.some(({ length }) => length < 15)) await delay(5);
        await postgres.kill();
        await postgres.start();
        done = true;
        await following;
        seen.push(...now);
      }

      for (const frames of seen) {
        const ids = frames.map(({ id }) => Number(id));
        expect(ids).toEqual(ids.map((_, i) => i + 1));
        const id = String(frames[0]?.event.task.id);
        const task = await caller.ok("GetTask", { id });
        expect(task.status).toEqual(frames.at(-1)?.event.statusUpdate.status);
        const streamed = frames.map(({ event }) => textOf(event.artifactUpdate?.artifact)).join("");
        expect(task.artifacts.map(textOf)).toEqual([streamed]);
        const counted = streamed.trim().split(" ").map(Number);
        expect(counted.length).toBeGreaterThan(10);
        expect(counted).toEqual(counted.map((_, i) => i));
        const [row] = await ask(postgres.url, "public", "select revision::int from a2a_tasks where id = $1", [
          id,
        ]);
        expect(row).toEqual({ revision: ids.length });
      }
      const counts = await ask(
        postgres.url,
        "public",
        `select (select sum(n)::int from a2a_counts) as counted, (select count(*)::int from a2a_tasks) as there,
        (select count(*)::int from a2a_tasks where terminal) as ended`,
      );
      expect(counts).toEqual([{ counted: 6, there: 6, ended: 6 }]);
    }, 120_000);
  },
);
