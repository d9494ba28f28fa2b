/** `npm run demo`: one process, no network beyond 127.0.0.1. Two agents, four clients, and what they said. */
import { createClient, httpJson, jsonRpc, type Transport } from "a2a-typed";
import { listen } from "a2a-typed/node";
import { createRouter, defineAgent, serve } from "a2a-typed/server";
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
const older = createRouter(v03.A2A, {
  sendMessage: ({ message }) => v03.agentMessage(`echo: ${v03.textOf(message)}`),
});

async function helloOlder(url: string): Promise<string> {
  await using client = createClient(v03.A2A, jsonRpc({ url }));
  const reply = await client.sendMessage({ message: v03.userMessage("hello") });
  return `${reply.kind}  ${v03.textOf(reply)}`;
}

await using agent = await serve(echo, { port: 0 });
await using olderAgent = await listen(older.handle);
console.log(`${agent.card.name} listens on ${agent.url}, an agent of A2A 0.3 on ${olderAgent.url}\n`);

await timed("1.0 over JSON-RPC", () => hello(jsonRpc({ url: agent.url })));
await timed("1.0 over HTTP+JSON", () => hello(httpJson({ url: agent.url })));
await timed("1.0 over JSON-RPC, a stream", () => count(jsonRpc({ url: agent.url })));
await timed("1.0 over HTTP+JSON, a stream", () => count(httpJson({ url: agent.url })));
await timed("0.3 over JSON-RPC", () => helloOlder(olderAgent.url));
