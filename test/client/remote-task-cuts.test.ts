import { EventEmitter, once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Agent, type RemoteTask } from "a2a-typed/client";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import type { StreamResponse } from "a2a-typed/v1";
import { proxy, seeded, through, type ProxyFaults } from "./remote-proxy.js";

const EVENTS = 1_000;

/** Opened once the client knows the task: before that a broken stream cannot be resumed. */
const begin = new EventEmitter();

const writer = defineAgent({
  card: { name: "Writer", description: "Writes a lot.", skills: [], capabilities: { streaming: true } },
  async handle(ctx) {
    ctx.working("writing");
    await once(begin, "now");
    const out = ctx.open({ name: "numbers" });
    for (let n = 0; n < EVENTS; n += 1) {
      await out.write(`${String(n)} `);
      if (n % 5 === 0) await turn();
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

const numbersOf = (event: StreamResponse): number[] =>
  (event.artifactUpdate?.artifact.parts ?? [])
    .flatMap(({ text }) => (text ?? "").split(" ").filter(Boolean))
    .map(Number);

async function follow(
  faults: ProxyFaults,
  look: (found: { agent: Agent; run: RemoteTask; events: StreamResponse[]; cuts: number }) => Promise<void>,
): Promise<void> {
  await using middle = await proxy(server.url, faults);
  await using agent = await connect(through(server.card, middle.url));
  const run = await agent.start("go");
  begin.emit("now");
  const events: StreamResponse[] = [];
  for await (const event of run) events.push(event);
  await look({ agent, run, events, cuts: middle.cuts });
  await middle.closed();
  expect(middle.open).toBe(0);
}

function cutting(times: number, from: number, to: number): () => number | undefined {
  const random = seeded(times);
  let left = times;
  return () => {
    left -= 1;
    return left < 0 ? undefined : left === times - 1 ? to : Math.floor(from + random() * (to - from));
  };
}

describe("a stream that breaks again and again (A2A-SA-c)", () => {
  it("200 times within 1,000 events: each is seen once, none is missed, no snapshot takes their place", async () => {
    await follow({ cutAfter: cutting(200, 200, 2_000) }, async ({ agent, run, events, cuts }) => {
      expect(cuts).toBe(200);
      expect(run.resumes).toBeGreaterThanOrEqual(200);
      expect(run.snapshots).toBe(0);
      expect(events.flatMap(numbersOf)).toEqual(Array.from({ length: EVENTS }, (_, n) => n));
      expect(run.task).toEqual(await agent.getTask({ id: run.id ?? "" }));
    });
  }, 60_000);

  it("without event ids: what was missed comes with the task", async () => {
    const rewrite = (event: string): string => event.replace(/^id: .*\n/m, "");
    const faults = { cutAfter: cutting(20, 2_000, 30_000), rewrite };
    await follow(faults, async ({ agent, run, events, cuts }) => {
      expect(cuts).toBeGreaterThan(0);
      expect(run.snapshots).toBeGreaterThan(0);
      expect(run.snapshots).toBe(events.filter(({ task }) => task).length - 1);
      expect(run.task).toEqual(await agent.getTask({ id: run.id ?? "" }));
      expect(run.text()).toBe(
        (await agent.getTask({ id: run.id ?? "" })).artifacts?.[0]?.parts.map((p) => p.text).join(""),
      );
    });
  }, 60_000);
});
