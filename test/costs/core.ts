import {
  createServer,
  defineAgent,
  memoryStore,
  type AgentServer,
  type TaskStore,
} from "../../src/server.js";
import { textOf } from "../../src/versions/pivot.js";

/** An agent that says `echo: …`, or grows an artifact by N tokens where it is asked for `stream:N`. */
const agent = defineAgent({
  card: {
    name: "costs",
    description: "Says it again",
    skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["test"] }],
  },
  async handle(ctx, message) {
    const text = textOf(message);
    const tokens = Number(/^stream:(\d+)$/.exec(text)?.[1] ?? 0);
    if (tokens === 0) return `echo: ${text}`;
    await using out = ctx.open();
    for (let n = 0; n < tokens; n++) {
      void out.write(`token ${String(n)}`);
      if (n % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
    }
    return ctx.completed();
  },
});

/** A server without a socket: what is counted is the library's. */
export const coreServer = (store: TaskStore = memoryStore()): AgentServer =>
  createServer(agent, { url: "http://127.0.0.1/", store });

/** Parameters of a message with this text. */
export const messageOf = (text: string) => ({
  message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] },
});

/** One call over JSON-RPC, from text to text; of a stream, all of it. Params that are no text yet are handed over as they are. */
export async function call(
  server: AgentServer,
  method: string,
  params: unknown,
  { asText = true, signal = new AbortController().signal } = {},
): Promise<string> {
  const json = { jsonrpc: "2.0", id: 1, method, params };
  const text = asText ? JSON.stringify(json) : "";
  const { status, body } = await server.handle({
    method: "POST",
    url: "/",
    headers: { "content-type": "application/json", "a2a-version": "1.0" },
    body: () => (asText ? Promise.resolve(text) : { json }),
    signal,
  });
  if (status !== 200) throw new Error(`answered ${String(status)}`);
  if (typeof body === "string") return body;
  let all = "";
  for await (const part of body) all += part;
  return all;
}

/** The id of the task in an answer. */
export const idIn = (answer: string): string => {
  const { result } = JSON.parse(answer) as { result: { task: { id: string } } };
  return result.task.id;
};
