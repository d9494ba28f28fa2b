/** A session follows tasks as `agent.task()` does: broken connections are resumed, and lose nothing. */
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { A2AAgents, A2ASession, type Task } from "a2a-typed/session";
import { textOf } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proxy, through, type Proxy, type ProxyFaults } from "../client/remote-proxy.js";
import { listen, reply } from "../client/support.js";

const ignore = (): void => undefined;
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const words = Array.from({ length: 60 }, (_, n) => `word-${String(n)} `);
let go: Promise<void> = Promise.resolve();

const agent = defineAgent({
  card: { name: "Words", description: "Says words.", skills: [] },
  async *handle(ctx, message) {
    ctx.working("about to");
    if (textOf(message) !== "now") await go;
    yield* words;
    return ctx.completed("done");
  },
});

let server: RunningServer;
beforeAll(async () => {
  server = await serve(agent, { port: 0, logger });
});
afterAll(() => server.close());

async function withSession(
  faults: ProxyFaults,
  use: (session: A2ASession, middle: Proxy) => Promise<void>,
  version = "1.0",
  pollInterval = 600,
): Promise<void> {
  await using middle = await proxy(server.url, faults);
  await using cards = await listen((_, response) =>
    reply(response, through(server.card, middle.url, version)),
  );
  const agents = new A2AAgents({ words: { url: `${cards.url}/card.json` } });
  try {
    // No task is seen by looking from time to time: it would take minutes.
    await use(new A2ASession(agents, { getTaskPollInterval: pollInterval, getTaskTimeout: 15 }), middle);
  } finally {
    await agents.close();
  }
}

const said = ({ artifacts }: Task): string =>
  (artifacts ?? [])
    .flatMap(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text : "")))
    .join("");

const cutting = (...bytes: number[]): ProxyFaults => ({ cutAfter: () => bytes.shift() });

describe.each(["1.0", "0.3"])("an agent of %s", (version) => {
  it("is followed through breaks by sendMessage and getTask", () =>
    withSession(
      cutting(1_000, 2_000, 700, 900),
      async (session, middle) => {
        let start = ignore;
        go = new Promise((resolve) => (start = resolve));
        const sent = session.sendMessage("words", "later");
        while (middle.open === 0) await new Promise((resolve) => setImmediate(resolve));
        start();
        const task = (await sent) as Task;
        expect(task.status.state).toBe("completed");
        expect(said(task)).toBe(words.join(""));
        expect(middle.cuts).toBe(4);

        go = new Promise((resolve) => (start = resolve));
        const short = (await session.sendMessage("words", "later", { timeout: 0.2 })) as Task;
        expect(short.status.state).toBe("working");
        const again = session.getTask("words", short.id);
        start();
        expect(said(await again)).toBe(words.join(""));
      },
      version,
    ));
});

it("an agent that is away for a while is waited for, within the time", async () => {
  let away = false;
  let start = ignore;
  go = new Promise((resolve) => (start = resolve));
  let looked = ignore;
  const answer = (): { status: number; body: string } | undefined => {
    if (!away) return undefined;
    looked();
    return { status: 503, body: "" };
  };
  await withSession({ answer, ...cutting(900) }, async (session, middle) => {
    const sent = session.sendMessage("words", "later", { timeout: 15 });
    while (middle.open === 0) await new Promise((resolve) => setImmediate(resolve));
    away = true;
    const noticed = new Promise<void>((resolve) => (looked = resolve));
    start();
    await noticed;
    away = false;
    expect(said((await sent) as Task)).toBe(words.join(""));
  });
});

it("a task of an agent that does not come back is given as far as it came", async () => {
  let away = false;
  let start = ignore;
  go = new Promise((resolve) => (start = resolve));
  const answer = (): { status: number; body: string } | undefined =>
    away ? { status: 503, body: "" } : undefined;
  await withSession({ answer, ...cutting(3_000) }, async (session, middle) => {
    const sent = session.sendMessage("words", "later", { timeout: 1.5 });
    while (middle.open === 0) await new Promise((resolve) => setImmediate(resolve));
    away = true;
    start();
    const task = (await sent) as Task;
    expect(task.status.state).toBe("working");
    expect(said(task)).toMatch(/^word-0 .*word-\d+ $/);
    expect(words.join("").startsWith(said(task))).toBe(true);
  });
});

it("agents that do not stream are looked at as often as the session says, however long nothing changes", async () => {
  const asked: number[] = [];
  const task = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };
  await using quiet = await listen((seen, response) => {
    const { id, method } = seen.json;
    if (seen.method === "GET") {
      reply(response, {
        name: "Quiet",
        capabilities: { streaming: false },
        supportedInterfaces: [
          {
            url: `http://${String(seen.headers.host)}/rpc`,
            protocolBinding: "JSONRPC",
            protocolVersion: "1.0",
          },
        ],
      });
      return;
    }
    if (method === "GetTask") asked.push(performance.now());
    const state = asked.length >= 20 ? "TASK_STATE_COMPLETED" : "TASK_STATE_WORKING";
    const now = { ...task, status: { state } };
    reply(response, { jsonrpc: "2.0", id, result: method === "GetTask" ? now : { task } });
  });
  const session = new A2ASession(new A2AAgents({ quiet: { url: quiet.url } }), { getTaskPollInterval: 0.05 });
  expect(await session.sendMessage("quiet", "x", { timeout: 15 })).toMatchObject({
    status: { state: "completed" },
  });
  // Waits that grow by half would take 50 ms × 1.5¹⁸, or ten times 50 ms at most: 8 s.
  expect((asked[19] ?? 0) - (asked[0] ?? 0)).toBeLessThan(5_000);
});
