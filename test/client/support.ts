import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { A2AError } from "../../src/errors.js";

/** One request as a test server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The body, parsed. */
  readonly json: { readonly id?: unknown; readonly method?: string; readonly params?: unknown };
  /** Resolves once the client has closed the connection, or has its whole answer. */
  readonly closed: Promise<void>;
}

/** A server that answers as the test says. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: Seen[];
}

type Answer = (seen: Seen, response: ServerResponse) => void | Promise<void>;

/** Starts a server on a free port of the loopback address. */
export async function listen(answer: Answer): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      const { method = "", url = "", headers } = request;
      const json = (body === "" ? {} : JSON.parse(body)) as Seen["json"];
      const one: Seen = { method, url, headers, body, json, closed };
      seen.push(one);
      await answer(one, response);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with one body. */
export function reply(
  response: ServerResponse,
  body: unknown,
  {
    status = 200,
    type = "application/json",
    headers = {},
  }: { status?: number; type?: string; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { ...(type !== "" && { "content-type": type }), ...headers });
  response.end(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
}

/** Starts an event stream; `send` writes text as it is. */
export function openStream(response: ServerResponse): (text: string) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  return (text) => void response.write(text);
}

/** A JSON-RPC result as text of one event. */
export const frame = (id: unknown, result: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`;

/** What a promise was rejected with; fails where it is no `A2AError`. */
export async function failure(promise: Promise<unknown>): Promise<A2AError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
  throw new Error("expected a rejection");
}

/** All events of a stream, and what it ended with. */
export async function drain<T>(stream: AsyncIterable<T>): Promise<{ events: T[]; error?: A2AError }> {
  const events: T[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events };
  } catch (error) {
    if (error instanceof A2AError) return { events, error };
    throw error;
  }
}

/** A task of 1.0 in a state. */
export const task = (state: string): { task: object } => ({
  task: { id: "t1", contextId: "c1", status: { state } },
});

/** A status update of 1.0. */
export const status = (state: string): { statusUpdate: object } => ({
  statusUpdate: { taskId: "t1", contextId: "c1", status: { state } },
});

/** An artifact update of 1.0. */
export const chunk = (text: string): { artifactUpdate: object } => ({
  artifactUpdate: {
    taskId: "t1",
    contextId: "c1",
    artifact: { artifactId: "a1", parts: [{ text }] },
    append: true,
  },
});

/** An agent's message of 1.0 as a reply. */
export const message = (text: string): { message: object } => ({
  message: { messageId: "m1", role: "ROLE_AGENT", parts: [{ text }] },
});
