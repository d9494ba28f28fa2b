/** The floor: `node:http` doing the same wire work with nothing around it. */
import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { announce, breath, chunksOf, portOf, tokenOf } from "./contract.js";

interface Message {
  readonly contextId?: string;
  readonly parts: readonly { readonly text: string }[];
}
interface Artifact {
  readonly artifactId: string;
  readonly name: string;
  readonly parts: { readonly text: string }[];
}
interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: { state: string; readonly timestamp: string };
  readonly artifacts: Artifact[];
  readonly history: readonly unknown[];
}
interface Rpc {
  readonly id: unknown;
  readonly method: string;
  readonly params: { readonly message: Message; readonly id: string };
}

const tasks = new Map<string, Task>();

const create = (message: Message, state: string, artifact: Artifact): Task => {
  const id = randomUUID();
  const contextId = message.contextId ?? randomUUID();
  const task = {
    id,
    contextId,
    status: { state, timestamp: new Date().toISOString() },
    artifacts: [artifact],
    history: [{ ...message, taskId: id, contextId }],
  };
  tasks.set(id, task);
  return task;
};

const echo = (message: Message): Task => {
  const parts = [{ text: `echo: ${message.parts[0]?.text ?? ""}` }];
  return create(message, "TASK_STATE_COMPLETED", { artifactId: "a", name: "echo", parts });
};

const reply = (response: ServerResponse, type: string, value: unknown): void => {
  const body = JSON.stringify(value);
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
};

async function stream(
  response: ServerResponse,
  message: Message,
  wrap: (value: unknown) => unknown,
): Promise<void> {
  const count = chunksOf(message.parts[0]?.text ?? "");
  const artifact: Artifact = { artifactId: "a", name: "echo", parts: [] };
  const task = create(message, "TASK_STATE_SUBMITTED", artifact);
  const { id: taskId, contextId, status } = task;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const write = (event: unknown) => response.write(`data: ${JSON.stringify(wrap(event))}\n\n`);
  write({ task: { ...task, artifacts: undefined } });
  for (let n = 0; n < count; n++) {
    const part = { text: tokenOf(n) };
    artifact.parts.push(part);
    const chunk = { artifactId: "a", name: "echo", parts: [part] };
    write({
      artifactUpdate: { taskId, contextId, artifact: chunk, append: n > 0, lastChunk: n === count - 1 },
    });
    await breath(n);
  }
  status.state = "TASK_STATE_COMPLETED";
  write({ statusUpdate: { taskId, contextId, status } });
  response.end();
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const url = request.url ?? "";
    const text = Buffer.concat(chunks).toString();
    if (url === "/rpc") {
      const { id, method, params } = JSON.parse(text) as Rpc;
      const answer = (result: unknown) => ({ jsonrpc: "2.0", id, result });
      if (method === "GetTask") reply(response, "application/json", answer(tasks.get(params.id)));
      else if (method === "SendMessage")
        reply(response, "application/json", answer({ task: echo(params.message) }));
      else void stream(response, params.message, answer);
      return;
    }
    if (url.startsWith("/rest/tasks/"))
      reply(response, "application/a2a+json", tasks.get(url.slice("/rest/tasks/".length)));
    else if (url === "/rest/message:send") {
      reply(response, "application/a2a+json", { task: echo((JSON.parse(text) as Rpc["params"]).message) });
    } else void stream(response, (JSON.parse(text) as Rpc["params"]).message, (event) => event);
  });
});
server.listen(0, "127.0.0.1", () => announce({ port: portOf(server), rpcPath: "/rpc", restPath: "/rest" }));
