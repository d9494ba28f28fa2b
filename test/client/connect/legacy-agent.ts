import type { ServerResponse } from "node:http";
import { frame, listen, openStream, reply, type Seen, type TestServer } from "../support.js";

/** A task of 0.x. */
export const oldTask = (state: string, extra: object = {}): object => ({
  kind: "task",
  id: "t1",
  contextId: "c1",
  status: { state, timestamp: "2025-01-02T03:04:05" },
  ...extra,
});

/** A message of 0.x. */
export const oldMessage = (text: string): object => ({
  kind: "message",
  messageId: "m2",
  role: "agent",
  parts: [{ kind: "text", text }],
});

/** A status update of 0.x. */
export const oldStatus = (state: string, final: boolean): object => ({
  kind: "status-update",
  taskId: "t1",
  contextId: "c1",
  status: { state },
  final,
});

/** An artifact update of 0.x. */
export const oldChunk = (text: string): object => ({
  kind: "artifact-update",
  taskId: "t1",
  contextId: "c1",
  artifact: { artifactId: "a1", parts: [{ kind: "text", text }] },
  append: true,
});

/** The card of 0.x for an agent at a URL. */
export const oldCard = (url: string, members: object = {}): object => ({
  name: "Old agent",
  description: "Speaks 0.x.",
  version: "1",
  protocolVersion: "0.3.0",
  url,
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  ...members,
});

/** What a method answers: a result, an error object, or whatever it writes itself. */
export type OldMethod = (
  params: Readonly<Record<string, unknown>>,
  seen: Seen,
  response: ServerResponse,
) => unknown;

/** Answers with a JSON-RPC error. */
export class OldError {
  readonly error: object;
  constructor(code: number, message: string, data?: unknown) {
    this.error = { code, message, ...(data !== undefined && { data }) };
  }
}

/** Writes the events of a stream and ends it, unless told to leave it open. */
export const streamOf =
  (events: readonly object[], { end = true, ids = false } = {}): OldMethod =>
  (_, seen, response) => {
    const send = openStream(response);
    for (const [n, event] of events.entries())
      send(`${ids ? `id: ${n + 1}\n` : ""}${frame(seen.json.id, event)}`);
    if (end) response.end();
    return undefined;
  };

/** How an agent is set up. */
export interface OldAgentOptions {
  readonly methods: Readonly<Record<string, OldMethod>>;
  readonly card?: (url: string) => object;
  /** Path of the card. */
  readonly cardPath?: string;
  /** Answers to `GET`s of other paths. */
  readonly pages?: Readonly<Record<string, object>>;
}

/** An agent of 0.x over JSON-RPC at `/rpc`, written by hand: none of our code answers. */
export async function startOldAgent(options: OldAgentOptions): Promise<TestServer> {
  const { methods, card = oldCard, cardPath = "/.well-known/agent-card.json", pages = {} } = options;
  const server: TestServer = await listen(async (seen, response) => {
    if (seen.method === "GET") {
      const page = seen.url === cardPath ? card(`${server.url}/rpc`) : pages[seen.url];
      if (page === undefined) reply(response, "none", { status: 404, type: "text/plain" });
      else reply(response, page);
      return;
    }
    const { id, method = "", params } = seen.json;
    const answer = methods[method];
    const result =
      answer === undefined
        ? new OldError(-32601, "Method not found")
        : await answer((params ?? {}) as Record<string, unknown>, seen, response);
    if (response.headersSent) return;
    reply(response, {
      jsonrpc: "2.0",
      id,
      ...(result instanceof OldError ? { error: result.error } : { result }),
    });
  });
  return server;
}

/** The calls that a server saw. */
export const callsOf = (server: TestServer): Seen[] => server.seen.filter(({ method }) => method === "POST");
