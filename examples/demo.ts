/** `npm run demo`: one process, no network beyond 127.0.0.1. Two agents, clients of three versions, and what they said. */
import { createClient, httpJson, jsonRpc, type Transport } from "a2a-typed";
import { connect } from "a2a-typed/client";
import { listen } from "a2a-typed/node";
import { createRouter, defineAgent, serve } from "a2a-typed/server";
import * as v02 from "a2a-typed/v0.2";
import * as v03 from "a2a-typed/v0.3";
import { A2A, textOf, userMessage } from "a2a-typed/v1";

const echo = defineAgent({
  card: {
    name: "Echo",
    description: "Says what it hears; counts when asked to.",
    skills: [{ id: "echo", name: "Echo", description: "Repeats a message.", tags: ["demo"] }],
  },
  async *handle(_ctx, message) {
    const said = textOf(message);
    const count = /^count to (\d+)$/.exec(said)?.[1];
    if (count === undefined) return "echo: " + said;
    for (let n = 1; n <= Number(count); n += 1) yield `${n} `;
    return undefined;
  },
});

async function timed(title: string, run: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const said = await run();
  console.log(`${title} (${(performance.now() - started).toFixed(1)} ms)\n  ${said}`);
}

async function hello(transport: Transport): Promise<string> {
  await using client = createClient(A2A, transport);
  const { task, message } = await client.sendMessage({ message: userMessage("hello") });
  return task ? `${task.status.state}  ${textOf(task)}` : textOf(message);
}

async function count(transport: Transport): Promise<string> {
  await using client = createClient(A2A, transport);
  let chunks = 0;
  let text = "";
  for await (const event of client.sendStreamingMessage({ message: userMessage("count to 100") })) {
    if (!event.artifactUpdate) continue;
    const chunk = textOf(event.artifactUpdate.artifact);
    if (chunk) chunks += 1;
    text += chunk;
  }
  if (chunks !== 100) throw new Error(`the stream had ${chunks} chunks`);
  return `${chunks} chunks: ${text.slice(0, 12)}… ${text.slice(-8).trim()}`;
}

/** An agent of A2A 0.3, on the bare router. */
const older = createRouter(
  v03.A2A,
  { sendMessage: ({ message }) => v03.agentMessage(`echo: ${v03.textOf(message)}`) },
  {
    card: () => ({
      name: "Older",
      description: "Speaks A2A 0.3 only.",
      version: "1.0.0",
      protocolVersion: "0.3.0",
      url: olderAgent.url,
      capabilities: {},
      skills: [],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
    }),
  },
);

async function hello03(transport: Transport): Promise<string> {
  await using client = createClient(v03.A2A, transport);
  const reply = await client.sendMessage({ message: v03.userMessage("hello") });
  return `${reply.kind}  ${v03.textOf(reply)}`;
}

async function hello02(transport: Transport): Promise<string> {
  await using client = createClient(v02.A2A, transport);
  const reply = await client.sendMessage({ message: v02.userMessage("hello") });
  return `${reply.kind}  ${v02.textOf(reply)}`;
}

async function helloAny(url: string): Promise<string> {
  await using found = await connect(url);
  return `${found.card.name} speaks ${found.protocolVersion}  ${(await found.send("hello")).text()}`;
}

await using agent = await serve(echo, { port: 0 });
await using olderAgent = await listen(older.handle);
console.log(`${agent.card.name} listens on ${agent.url}, an agent of A2A 0.3 on ${olderAgent.url}\n`);

await timed("1.0 over JSON-RPC", () => hello(jsonRpc({ url: agent.url })));
await timed("1.0 over HTTP+JSON", () => hello(httpJson({ url: agent.url })));
await timed("1.0 over JSON-RPC, a stream", () => count(jsonRpc({ url: agent.url })));
await timed("1.0 over HTTP+JSON, a stream", () => count(httpJson({ url: agent.url })));
await timed("0.3 over JSON-RPC, the same agent", () => hello03(jsonRpc({ url: agent.url })));
await timed("0.3 over HTTP+JSON, the same agent", () => hello03(httpJson({ url: agent.url })));
await timed("0.2 over JSON-RPC, the same agent", () => hello02(jsonRpc({ url: agent.url })));
await timed("whatever the first agent speaks", () => helloAny(agent.url));
await timed("whatever the second agent speaks", () => helloAny(olderAgent.url));
