import { once, EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "a2a-typed/client";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import type { StreamResponse } from "a2a-typed/v1";
import { proxy, seeded, through } from "./remote-proxy.js";

const EVENTS = 60;
const begin = new EventEmitter();
const writer = defineAgent({
  card: { name: "Writer", description: "Writes.", skills: [], capabilities: { streaming: true } },
  async handle(ctx) {
    ctx.working("writing");
    await once(begin, "now");
    const out = ctx.open({ name: "numbers" });
    for (let n = 0; n < EVENTS; n += 1) {
      await out.write(`${String(n)} `);
      if (n % 3 === 0) await turn();
    }
    await out.close();
    return ctx.completed("done");
  },
});

let server: RunningServer;
beforeAll(async () => {
  server = await serve(writer, { port: 0 });
});
afterAll(() => server.close());

const wordsOf = (event: StreamResponse): string =>
  (event.artifactUpdate?.artifact.parts ?? []).map(({ text }) => text ?? "").join("");

/** What goes wrong in one run, drawn from its seed. */
function faultsOf(seed: number) {
  const random = seeded(seed * 7_919 + 1);
  const share = (p: number): boolean => random() < p;
  const ids = share(0.5) ? "kept" : share(0.5) ? "none" : "same";
  const [cuts, refuses, busy, twice] = [share(0.8), share(0.2), share(0.3), share(0.3)];
  let left = 12;
  return {
    ids,
    twice,
    cutAfter: (): number | undefined => {
      left -= 1;
      return cuts && left > 0 ? Math.floor(700 + random() * 4_000) : undefined;
    },
    rewrite: (event: string): string => {
      if (ids === "none") return event.replace(/^id: .*\n/m, "");
      if (ids === "same") return event.replace(/^id: .*\n/m, "id: 1\n");
      return twice && share(0.2) && !event.includes('"task"') ? event + event : event;
    },
    answer: (body: string): { status: number; body: string } | undefined => {
      if (body.includes("SendStreamingMessage")) return undefined;
      if (busy && share(0.3)) return { status: 503, body: "" };
      if (!refuses || !body.includes("SubscribeToTask")) return undefined;
      const { id } = JSON.parse(body) as { id: unknown };
      const error = { code: -32_004, message: "No." };
      return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, error }) };
    },
  };
}

describe("whatever goes wrong on the way", () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed))(
    "seed %i: the task is as the agent has it",
    async (seed) => {
      const faults = faultsOf(seed);
      await using middle = await proxy(server.url, faults);
      await using agent = await connect(through(server.card, middle.url), { retry: { delayMs: 5 } });
      await using direct = await connect(server.url);
      const run = await agent.start("go", { pollIntervalMs: 10 });
      begin.emit("now");
      const events: StreamResponse[] = [];
      for await (const event of run) events.push(event);
      expect(run.task).toEqual(await direct.getTask({ id: run.id ?? "" }));
      // What was seen since the last whole task is what followed it: nothing twice, nothing missed.
      const at = events.findLastIndex(({ task }) => task);
      const before = (events[at]?.task?.artifacts ?? []).flatMap(({ parts }) =>
        parts.map(({ text }) => text ?? ""),
      );
      const seen =
        before.join("") +
        events
          .slice(at + 1)
          .map(wordsOf)
          .join("");
      expect(seen).toBe(run.text());
      expect(run.snapshots).toBe(events.filter(({ task }) => task).length - 1);
      await middle.closed();
    },
  );
});
