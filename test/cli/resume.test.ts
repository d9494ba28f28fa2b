/** Commands that follow a task go on after a broken connection, where it broke. */
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proxy, through, type Proxy, type ProxyFaults } from "../client/remote-proxy.js";
import { frame, listen, openStream, reply, task } from "../client/support.js";
import { run } from "./run.js";

const words = Array.from({ length: 40 }, (_, n) => `word-${String(n)} `);
const ignore = (): void => undefined;
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
let begun = (): void => undefined;
let go: Promise<void> = Promise.resolve();

const agent = defineAgent({
  card: { name: "Words", description: "Says words.", skills: [] },
  async *handle(ctx, message) {
    ctx.working("about to");
    if (textOf(message) === "held") {
      begun();
      await go;
    }
    yield* words;
    return ctx.completed();
  },
});

const written = (text: string) => ({
  artifactUpdate: { taskId: "t1", contextId: "c1", artifact: { artifactId: "a1", parts: [{ text }] } },
});

let server: RunningServer;
beforeAll(async () => {
  server = await serve(agent, { port: 0, logger });
});
afterAll(() => server.close());

/** Streams of so many bytes, and the one after the last of them to its end. */
const cutting = (...bytes: number[]): ProxyFaults => ({ cutAfter: () => bytes.shift() });

/** The URL of a command, and the options that belong to it: of a card that leads through the proxy, or of the proxy itself. */
async function reaching(
  direct: boolean,
  faults: ProxyFaults,
  use: (target: readonly string[], middle: Proxy) => Promise<void>,
): Promise<void> {
  await using middle = await proxy(server.url, faults);
  await using cards = await listen((_, response) => reply(response, through(server.card, middle.url)));
  await use(direct ? [middle.url, "--direct"] : [`${cards.url}/card.json`], middle);
}

describe.each([
  ["by the card", false],
  ["directly", true],
])("an agent that is reached %s", (_, direct) => {
  it("stream goes on after breaks, and prints each event once", () =>
    reaching(direct, cutting(700, 1_500, 900), async ([url = "", ...more], middle) => {
      const { code, out, err } = await run(["stream", url, "go", ...more]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out.match(/word-\d+ /g)).toEqual(words);
      expect(out.match(/^task /gm)).toHaveLength(1);
      expect(middle.cuts).toBe(3);
      expect(middle.calls).toEqual(["SendStreamingMessage", ...Array(3).fill("SubscribeToTask")]);
    }));

  it("subscribe goes on after breaks", () =>
    reaching(direct, cutting(900, 1_500), async ([url = "", ...more], middle) => {
      let start = ignore;
      go = new Promise((resolve) => (start = resolve));
      const started = new Promise<void>((resolve) => (begun = resolve));
      const sent = await run(["send", server.url, "held", "--immediately", "--direct"]);
      await started;
      const id = /^task (\S+)/.exec(sent.out)?.[1] ?? "";
      const { code, out } = await run(["subscribe", url, id, ...more], { onOut: () => start() });
      expect(code).toBe(0);
      expect(out.match(/word-\d+ /g)).toEqual(words);
      expect(out.trimEnd().endsWith("completed")).toBe(true);
      expect(middle.cuts).toBe(2);
    }));

  it("subscribe --last-event-id begins there, and after a break with the task as it is", () =>
    reaching(direct, cutting(900), async ([url = "", ...more], middle) => {
      let start = ignore;
      go = new Promise((resolve) => (start = resolve));
      const started = new Promise<void>((resolve) => (begun = resolve));
      const sent = await run(["send", server.url, "held", "--immediately", "--direct"]);
      await started;
      const id = /^task (\S+)/.exec(sent.out)?.[1] ?? "";
      const following = run(["subscribe", url, id, "--last-event-id", "2", "--json", ...more]);
      while (middle.open === 0) await new Promise((resolve) => setImmediate(resolve));
      start();
      const { code, out } = await following;
      expect(code).toBe(0);
      const kinds = out
        .trimEnd()
        .split("\n")
        .map((line) => Object.keys(JSON.parse(line) as object)[0]);
      expect(kinds[0]).toBe("artifactUpdate");
      expect(kinds).toContain("task");
      expect(kinds.at(-1)).toMatch(/task|statusUpdate/);
      expect(out).toContain("TASK_STATE_COMPLETED");
      expect(middle.cuts).toBe(1);
    }));
});

it("of a task that comes once more after a break only what is new is printed", async () => {
  // Without ids, the agent begins anew with the task.
  const faults: ProxyFaults = {
    ...cutting(1_500),
    rewrite: (event) => event.replace(/^id:.*\n/m, ""),
  };
  await reaching(false, faults, async ([url = ""], middle) => {
    const { code, out } = await run(["stream", url, "go"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^task \S+ submitted\nworking: about to\nword-0 .*word-39 \ncompleted\n$/);
    expect(out.match(/word-\d+ /g)).toEqual(words);
    expect(middle.cuts).toBeGreaterThan(0);
  });
});

it("an artifact that was written anew is printed anew, and not once more after a break", async () => {
  await using server = await listen((seen, response) => {
    const { id, method } = seen.json;
    if (seen.method === "GET") {
      reply(response, through({ name: "Anew", capabilities: { streaming: true } }, `${server.url}/rpc`));
      return;
    }
    const send = openStream(response);
    if (method === "SendStreamingMessage") {
      send(frame(id, task("TASK_STATE_WORKING")) + frame(id, written("one")) + frame(id, written("two")));
    } else {
      const { artifact } = written("two").artifactUpdate;
      send(frame(id, { task: { ...task("TASK_STATE_COMPLETED").task, artifacts: [artifact] } }));
    }
    response.end();
  });
  const { code, out, err } = await run(["stream", server.url, "go"]);
  expect({ code, out, err }).toEqual({ code: 0, out: "task t1 working\none\ntwo\ncompleted\n", err: "" });
});

it("--timeout gives up on an agent that keeps the connection and says nothing", async () => {
  go = new Promise(ignore);
  const sent = await run(["send", server.url, "held", "--immediately"]);
  const id = /^task (\S+)/.exec(sent.out)?.[1] ?? "";
  const { code, err } = await run(["subscribe", server.url, id, "--timeout", "0.5"]);
  expect(code).toBe(1);
  expect(err).toBe("a2a-typed: TIMEOUT: The agent sent no event for 0.5 s; the task goes on\n");
  expect((await run(["cancel", server.url, id])).out).toContain("canceled");
});

it("--timeout gives up on an agent that is away after a break, also with --last-event-id", async () => {
  go = new Promise(ignore);
  const sent = await run(["send", server.url, "held", "--immediately"]);
  const id = /^task (\S+)/.exec(sent.out)?.[1] ?? "";
  let away = false;
  const faults: ProxyFaults = {
    cutAfter: () => {
      away = true;
      return 1;
    },
    answer: () => (away ? { status: 503, body: "" } : undefined),
  };
  await reaching(false, faults, async ([url = ""], middle) => {
    const { code, err } = await run(["subscribe", url, id, "--last-event-id", "1", "--timeout", "0.5"]);
    expect(code).toBe(1);
    expect(err).toBe("a2a-typed: TIMEOUT: The agent sent no event for 0.5 s; the task goes on\n");
    expect(middle.cuts).toBe(1);
  });
  await run(["cancel", server.url, id]);
});
