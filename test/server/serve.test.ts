/** `serve` over real sockets: both bindings, the card, the end. */
import { afterEach, describe, expect, test } from "vitest";
import { createClient, httpJson, jsonRpc, type Transport } from "../../src/index.js";
import { createServer, serve, type RunningServer, type ServeOptions } from "../../src/server.js";
import { pivot, textOf, userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, quiet } from "./agents.js";

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function listen(
  agent: Parameters<typeof serve>[0],
  options: Partial<ServeOptions> = {},
): Promise<RunningServer> {
  const server = await serve(agent, { port: 0, logger: quiet, ...options });
  open.push(server);
  return server;
}

const echo = agentOf(async function* (ctx, m) {
  if (textOf(m) === "ask") return ctx.inputRequired("?");
  for (const word of textOf(m).split(" ")) yield word;
  return undefined;
});

const bindings: [string, (url: string) => Transport][] = [
  ["JSON-RPC", (url) => jsonRpc({ url })],
  ["HTTP+JSON", (url) => httpJson({ url })],
];

describe.each(bindings)("over %s", (_name, transport) => {
  test("send, stream, get, list, subscribe, cancel", async () => {
    const { url } = await listen(echo);
    await using client = createClient(pivot, transport(url));
    const sent = await client.sendMessage({ message: userMessage("a b") });
    expect(textOf(sent)).toBe("ab");
    expect(await client.getTask({ id: sent.task?.id ?? "" })).toEqual(sent.task);
    const words: string[] = [];
    for await (const event of client.sendStreamingMessage({ message: userMessage("x y z") })) {
      if (event.artifactUpdate) words.push(textOf(event));
    }
    expect(words).toEqual(["x", "y", "z", ""]);
    const asked = await client.sendMessage({ message: userMessage("ask") });
    const id = asked.task?.id ?? "";
    const stream = client.subscribeToTask({ id });
    expect((await stream.next()).value?.task).toEqual(asked.task);
    expect((await client.cancelTask({ id })).status.state).toBe("TASK_STATE_CANCELED");
    expect((await stream.next()).value?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
    expect((await stream.next()).done).toBe(true);
    expect((await client.listTasks({ pageSize: 2 })).totalSize).toBe(3);
  });

  test("a caller that hangs up ends no task", async () => {
    const [began, go, done] = [gate(), gate(), gate<string>()];
    const { url } = await listen(
      agentOf(async (ctx) => {
        began.open();
        await go.passed;
        done.open(ctx.signal.aborted ? "aborted" : ctx.taskId);
      }),
    );
    await using client = createClient(pivot, transport(url));
    const controller = new AbortController();
    const call = client.sendMessage({ message: userMessage("x") }, { signal: controller.signal });
    await began.passed;
    controller.abort();
    await expect(call).rejects.toMatchObject({ reason: "ABORTED" });
    go.open();
    const id = await done.passed;
    expect((await client.getTask({ id })).status.state).toBe("TASK_STATE_COMPLETED");
  });
});

test("the card names where the server listens, under basePath, or the public URL", async () => {
  const local = await listen(echo, { basePath: "/agents/echo/" });
  expect(local.url).toBe(`http://127.0.0.1:${String(local.port)}/agents/echo`);
  const card = await fetch(`http://127.0.0.1:${String(local.port)}/.well-known/agent-card.json`, {
    headers: { "a2a-version": "1.0" },
  });
  expect(await card.json()).toEqual(local.card);
  expect(local.card.supportedInterfaces.map(({ url }) => url)).toEqual(Array<string>(4).fill(local.url));
  await using client = createClient(pivot, httpJson({ url: local.url }));
  expect(textOf(await client.sendMessage({ message: userMessage("hi") }))).toBe("hi");
  const behind = await listen(echo, { url: "https://agents.example.com" });
  expect(behind.url).toBe("https://agents.example.com");
  expect(behind.card.supportedInterfaces[0]?.url).toBe("https://agents.example.com");
});

test("auth: the principal owns its tasks, and a refusal comes before the body is read", async () => {
  const { url } = await listen(
    agentOf(async (ctx) => String(ctx.principal)),
    {
      auth: ({ headers }) => ({ principal: headers["authorization"]?.replace("Bearer ", "") }),
    },
  );
  const as = (who: string) =>
    createClient(pivot, jsonRpc({ url, headers: { authorization: `Bearer ${who}` } }));
  await using alice = as("alice");
  await using bob = as("bob");
  const { task } = await alice.sendMessage({ message: userMessage("x") });
  expect(textOf(task)).toBe("alice");
  await expect(bob.getTask({ id: task?.id ?? "" })).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
  expect((await alice.listTasks()).totalSize).toBe(1);
});

test("fetch serves the same without a socket", async () => {
  await using server = createServer(echo, { logger: quiet });
  const request = new Request("http://localhost/tasks/nope", { headers: { "a2a-version": "1.0" } });
  const response = await server.fetch(request);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { status: "NOT_FOUND" } });
});

test("a port that is taken is an error, and nothing is left open", async () => {
  const { port } = await listen(echo);
  await expect(serve(echo, { port, logger: quiet })).rejects.toMatchObject({
    reason: "CONFIG",
    message: `Cannot listen on 127.0.0.1 port ${String(port)}: the port is in use: stop what listens there, or choose another port (0 takes any free one)`,
    cause: { code: "EADDRINUSE" },
  });
  await expect(serve(echo, { port: 70_000, logger: quiet })).rejects.toMatchObject({
    reason: "CONFIG",
    message: "Cannot listen on 127.0.0.1 port 70000: port must be a whole number from 0 to 65535",
  });
  // Of the documentation range (RFC 5737): nobody has it.
  await expect(serve(echo, { port: 0, host: "192.0.2.1", logger: quiet })).rejects.toMatchObject({
    reason: "CONFIG",
    cause: { code: "EADDRNOTAVAIL" },
  });
});

test("an option that does not exist is refused", async () => {
  await expect(serve(echo, { port: 0, hots: "::" } as ServeOptions)).rejects.toMatchObject({
    reason: "CONFIG",
  });
});
