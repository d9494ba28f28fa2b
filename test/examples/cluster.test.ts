/** examples/cluster on real servers: what try.ts says, and what the three instances say beside each other. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cluster } from "../../examples/cluster/start.js";
import {
  bindings,
  callerOf,
  historyOf,
  say,
  short,
  textOf,
  type Frame,
  type Json,
} from "../rules/support.js";
import { postgresBin } from "../services/postgres.js";
import { redisBin } from "../services/redis.js";
import { runExample, type RunningExample } from "./run-example.js";

const missing = [
  postgresBin() === undefined && "postgresql",
  redisBin() === undefined && "redis-server",
  !existsSync("/usr/sbin/nginx") && "nginx",
].filter((name) => name !== false);
if (missing.length > 0)
  console.log(`skipped: the cluster of the examples; run: apt-get install ${missing.join(" ")}`);

const lineOf = ({ event }: Frame): string | undefined =>
  event.artifactUpdate && textOf(event.artifactUpdate.artifact);
const numbers = (frames: readonly Frame[]): number[] => frames.map(({ id }) => Number(id));
const run = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe.skipIf(missing.length > 0)("examples/cluster", { timeout: 60_000 }, () => {
  let running: RunningExample;
  let cluster: Cluster;
  let file = "";
  beforeAll(async () => {
    running = runExample("cluster/start.ts");
    [, file = ""] = await running.printed(/cluster\/try\.ts (\S+)/);
    cluster = JSON.parse(readFileSync(file, "utf8")) as Cluster;
  }, 60_000);
  afterAll(() => running[Symbol.asyncDispose](), 30_000);

  it.each(bindings)("every instance shows the same task and the same events, %s", async (binding) => {
    const through = callerOf(cluster.url, binding);
    const direct = cluster.instances.map(({ port }) => callerOf(`http://127.0.0.1:${String(port)}`, binding));
    const { id, status } = await through.send("a poem");
    expect(status).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: { parts: [{ text: "How many lines?" }] },
    });
    const [first, ...others] = direct;
    const stream = await first!.stream("SendStreamingMessage", say("12", { taskId: id }));
    const began = (await stream.next())!;
    expect(short(began)).toBe("task WORKING");
    const beside = await Promise.all(others.map((one) => one.stream("SubscribeToTask", { id })));
    const balanced = await through.stream("SubscribeToTask", { id });
    const events = [began, ...(await stream.rest())];
    const from = Number(began.id);
    expect(numbers(events)).toEqual(run(from, from + events.length - 1));
    const { name } = cluster.instances[0]!;
    expect(events.map(lineOf).filter((line) => line !== undefined)).toEqual(
      run(1, 12).map((n) => `line ${String(n)} by ${name}`),
    );
    expect(short(events.at(-1)!)).toBe("statusUpdate COMPLETED");
    for (const other of [...beside, balanced]) {
      const [snapshot, ...rest] = await other.rest();
      // Each began in the middle, and then had the same.
      expect(rest).toEqual(events.slice(Number(snapshot!.id) - from + 1));
      expect(rest.length).toBeGreaterThan(0);
    }
    const tasks: Json[] = await Promise.all([through, ...direct].map((one) => one.ok("GetTask", { id })));
    for (const task of tasks) expect(task).toEqual(tasks[0]);
    expect(historyOf(tasks[0])).toEqual(["a poem", "How many lines?", "12", `${name} writes`]);
    const ended = await Promise.all(
      direct.map((one) => one.stream("SubscribeToTask", { id }, { "last-event-id": String(from) })),
    );
    for (const one of ended) expect(numbers(await one.rest())).toEqual(numbers(events).slice(1));
  });

  it("the card has the address of the balancer, whoever gives it", async () => {
    const urls = [cluster.url, ...cluster.instances.map(({ port }) => `http://127.0.0.1:${String(port)}`)];
    const cards: Json[] = await Promise.all(
      urls.map(async (url) => (await fetch(`${url}/.well-known/agent-card.json`)).json()),
    );
    for (const card of cards) expect(card).toEqual(cards[0]);
    const named = (cards[0].supportedInterfaces as Json[]).map(({ url }) => new URL(url as string).origin);
    expect(new Set(named)).toEqual(new Set([cluster.url]));
  });

  // It kills an instance, so it comes last.
  it("try.ts sees nothing of the death of an instance but a stream that goes on elsewhere", async () => {
    await using caller = runExample("cluster/try.ts", [file]);
    expect(await caller.exit, caller.output()).toBe(0);
    const output = caller.output();
    expect(output.trimEnd().split("\n").at(-1)).toBe("all is well");
    const facts = [...output.matchAll(/^ {2}ok: (.*)$/gm)].map(([, fact = ""]) => fact);
    const everyEvent = expect.stringMatching(/^[abc] got every event from \d+ to \d+ once$/) as string;
    const [, victim = ""] = /^ {2}([abc]) is killed$/m.exec(output) ?? [];
    expect(facts).toEqual([
      everyEvent,
      everyEvent,
      "both got the same events in the same order",
      "the task has 15 lines in their order",
      "3 instances have the same task",
      "the cancel is answered with the canceled task",
      expect.stringMatching(/^the stream at [abc] ended with it$/),
      everyEvent,
      everyEvent,
      "the task has 20 lines in their order",
      "2 instances have the same task",
      expect.stringMatching(new RegExp(`^what ${victim} began was finished by [abc]$`)),
    ]);
    await running.printed(new RegExp(`^${victim} ended \\(SIGKILL\\)$`, "m"));
  });
});
