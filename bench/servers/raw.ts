/**
 * The floor: `node:http` doing the same wire work with nothing around it. Apart from ids and times it writes what ours writes,
 * byte for byte (a test compares them), from the least code that can: nothing is checked, and a task is an object in a map
 * that is turned into text when it is asked for. Events between two breaths go out in one write.
 */
import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { announce, askedBy, breath, portOf, tokenOf } from "./contract.js";
import { beginTalk, listen, say } from "./raw-talk.js";
import { begin, echo, echo03, echo03Proto, now, tasks, textOf, type RawMessage } from "./raw-tasks.js";

interface Params {
  readonly message: RawMessage;
  readonly id: string;
}
interface Rpc {
  readonly id: unknown;
  readonly method: string;
  readonly params: Params;
}
/** What stands around a result. */
type Wrap = (result: unknown) => unknown;

const NO_SNIFF = ["x-content-type-options", "nosniff"];
const REST = ["cache-control", "no-store", "vary", "Accept, A2A-Version, A2A-Extensions", ...NO_SNIFF];
const RPC_HEADERS = ["content-type", "application/json", ...NO_SNIFF];
const JSON_HEADERS = ["content-type", "application/json", ...REST];
const A2A_HEADERS = ["content-type", "application/a2a+json", ...REST];
const STREAM_HEADERS = [
  ...["content-type", "text/event-stream", "cache-control", "no-cache", "x-accel-buffering", "no"],
  ...NO_SNIFF,
];

const bare: Wrap = (result) => result;

function reply(response: ServerResponse, headers: readonly string[], value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(200, ["content-length", String(Buffer.byteLength(body)), ...headers]);
  response.end(body);
}

const frame = (n: number, event: unknown): string => `id: ${String(n)}\ndata: ${JSON.stringify(event)}\n\n`;

async function stream(response: ServerResponse, message: RawMessage, wrap: Wrap): Promise<void> {
  const { count, distinct } = askedBy(textOf(message));
  const task = begin(message, "TASK_STATE_SUBMITTED", {});
  const { id: taskId, contextId } = task;
  response.writeHead(200, STREAM_HEADERS);
  let n = 1;
  let ready = frame(n++, wrap({ task }));
  let artifactId = randomUUID();
  const parts: unknown[] = [];
  const artifacts: unknown[] = distinct ? [] : [{ artifactId, name: "echo", parts }];
  const add = (artifact: object, more: object): void => {
    ready += frame(n++, wrap({ artifactUpdate: { taskId, contextId, artifact, ...more } }));
  };
  for (let token = 0; token < count; token++) {
    const part = { text: tokenOf(token) };
    if (distinct) {
      artifactId = randomUUID();
      const artifact = { artifactId, parts: [part] };
      artifacts.push(artifact);
      add(artifact, { lastChunk: true });
    } else {
      parts.push(part);
      if (token === 0) add({ artifactId, name: "echo", parts: [part] }, {});
      else add({ artifactId, parts: [part] }, { append: true });
    }
    const pause = breath(token);
    if (!pause) continue;
    response.write(ready);
    ready = "";
    await pause;
  }
  if (!distinct) add({ artifactId, parts: [{ text: "" }] }, { append: true, lastChunk: true });
  const status = { state: "TASK_STATE_COMPLETED", timestamp: now() };
  tasks.set(taskId, Object.assign(task, { status, artifacts }));
  response.end(ready + frame(n, wrap({ statusUpdate: { taskId, contextId, status } })));
}

function rpc(response: ServerResponse, { id, method, params }: Rpc): void {
  const wrap: Wrap = (result) => ({ jsonrpc: "2.0", id, result });
  switch (method) {
    case "SendMessage": {
      const task = askedBy(textOf(params.message)).talk ? beginTalk(params.message) : echo(params.message);
      reply(response, RPC_HEADERS, wrap({ task }));
      return;
    }
    case "GetTask":
    case "tasks/get": {
      reply(response, RPC_HEADERS, wrap(tasks.get(params.id)));
      return;
    }
    case "message/send": {
      reply(response, RPC_HEADERS, wrap(echo03(params.message)));
      return;
    }
    case "SendStreamingMessage":
      return void stream(response, params.message, wrap);
    default:
      response.writeHead(200, STREAM_HEADERS);
      {
        listen(response, id);
        return;
      }
  }
}

function post(response: ServerResponse, url: string, text: string): void {
  if (url === "/") {
    rpc(response, JSON.parse(text) as Rpc);
    return;
  }
  const { message } = JSON.parse(text) as Params;
  if (url === "/message:send") reply(response, JSON_HEADERS, { task: echo(message) });
  else if (url === "/v1/message:send") reply(response, JSON_HEADERS, { task: echo03Proto(message) });
  else void stream(response, message, bare);
}

function get(response: ServerResponse, url: string): void {
  const id = url.slice(url.lastIndexOf("/") + 1);
  reply(response, url.startsWith("/v1/") ? JSON_HEADERS : A2A_HEADERS, tasks.get(id));
}

const server = createServer((request, response) => {
  const { method, url = "" } = request;
  if (method === "GET") {
    get(response, url);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const [first, ...more] = chunks;
    const body = first === undefined || more.length > 0 ? Buffer.concat(chunks) : first;
    post(response, url, body.toString());
  });
});
server.listen(0, "127.0.0.1", () => announce({ port: portOf(server), rpcPath: "/", restPath: "" }, say));
