/** What runs in the page. Each step gives a value, or throws; the test looks at it. */
import { createClient, httpJson, isA2AError, jsonRpc } from "a2a-typed";
import { connect } from "a2a-typed/client";
import { A2A, textOf, userMessage, type StreamResponse } from "a2a-typed/v1";

const query = new URLSearchParams(location.search);
/** The agent, and the same agent behind a proxy that cuts streams. */
const agentUrl = query.get("agent") ?? "";
const cuttingUrl = query.get("cutting") ?? "";

const bindings = { "JSON-RPC": jsonRpc({ url: agentUrl }), "HTTP+JSON": httpJson({ url: agentUrl }) };

const overBoth = async (run: (transport: ReturnType<typeof jsonRpc>) => Promise<unknown>): Promise<unknown> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(bindings).map(async ([name, transport]) => [name, await run(transport)] as const),
    ),
  );

const wordsOf = (events: readonly StreamResponse[]): string[] =>
  events.flatMap(({ artifactUpdate }) => (artifactUpdate ? [textOf(artifactUpdate.artifact)] : []));

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return "none";
  } catch (error) {
    return isA2AError(error) ? error.reason : String(error);
  }
}

const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  async connect() {
    await using agent = await connect(agentUrl);
    return [agent.card.name, agent.interface.protocolBinding, agent.protocolVersion, agent.problems.length];
  },
  send: () =>
    overBoth(async (transport) => {
      const client = createClient(A2A, transport);
      const { task } = await client.sendMessage({ message: userMessage("say ü 🙂") });
      const same = task && (await client.getTask({ id: task.id }));
      return [textOf(task), task?.status.state, JSON.stringify(task) === JSON.stringify(same)];
    }),
  stream: () =>
    overBoth(async (transport) => {
      const client = createClient(A2A, transport);
      const events: StreamResponse[] = [];
      for await (const event of client.sendStreamingMessage({ message: userMessage("count 5") }))
        events.push(event);
      return [wordsOf(events).join(""), events.at(-1)?.statusUpdate?.status.state];
    }),
  async resume() {
    await using agent = await connect(agentUrl);
    const { document } = agent;
    const protocol = { protocolBinding: "JSONRPC", protocolVersion: "1.0" };
    await using cut = await connect({
      ...(document as object),
      supportedInterfaces: [{ url: cuttingUrl, ...protocol }],
    });
    const task = await cut.start("count 200");
    const events: StreamResponse[] = [];
    for await (const event of task) events.push(event);
    const there = await agent.getTask({ id: task.id ?? "" });
    return {
      words: wordsOf(events).join(""),
      text: task.text(),
      same: JSON.stringify(task.task) === JSON.stringify(there),
      resumes: task.resumes,
      snapshots: task.snapshots,
    };
  },
  async cancel() {
    await using agent = await connect(agentUrl);
    const task = await agent.start("wait");
    const canceled = (await task.cancel()).status.state;
    return [canceled, (await task.result()).task?.status.state];
  },
  async leave() {
    const client = createClient(A2A, bindings["JSON-RPC"]);
    for await (const { task } of client.sendStreamingMessage({ message: userMessage("wait") }))
      if (task) return (await client.cancelTask({ id: task.id })).status.state;
    return "no task";
  },
  async errors() {
    const client = createClient(A2A, bindings["JSON-RPC"]);
    const hung = { message: userMessage("wait") };
    const controller = new AbortController();
    const aborted = failureOf(client.sendMessage(hung, { signal: controller.signal }));
    controller.abort();
    return {
      "no such task": await failureOf(client.getTask({ id: "nobody" })),
      "wrong input": await failureOf(client.getTask({} as never)),
      "no such host": await failureOf(connect("http://127.0.0.1:1/")),
      "another page's": await failureOf(connect(location.origin + "/private")),
      "too late": await failureOf(client.sendMessage(hung, { timeoutMs: 50 })),
      aborted: await aborted,
      redirect: await failureOf(
        createClient(A2A, jsonRpc({ url: `${location.origin}/moved` })).getTask({ id: "t" }),
      ),
    };
  },
};

const results: Record<string, unknown> = {};
for (const [name, step] of Object.entries(steps)) {
  try {
    results[name] = await step();
  } catch (error) {
    results[name] = `failed: ${isA2AError(error) ? `${error.reason} ` : ""}${String(error)}`;
  }
}
await fetch("/results", { method: "POST", body: JSON.stringify(results) });
