import { createHash } from "node:crypto";
import { A2AError } from "a2a-typed";
import { listen, type HttpHandler } from "a2a-typed/node";
import { createRouter } from "a2a-typed/server";
import * as v03 from "a2a-typed/v0.3";
import * as v1 from "a2a-typed/v1";
import { abstract, found, papers } from "./seed-data.js";

/** What an agent was asked. */
export interface Asked {
  /** `X-API-Key` of each request, the one for the card included. */
  readonly keys: string[];
  /** Answers to requests for the card: 200 or 304. */
  readonly cards: number[];
  readonly messages: (v1.Message | v03.Message)[];
}

/** A running agent with a card of its own. */
export interface TestAgent extends AsyncDisposable {
  readonly url: string;
  readonly cardUrl: string;
  readonly asked: Asked;
  /** Changes the card that is served. */
  change(members: object): void;
}

const card = {
  name: "Research Bot",
  description: "Find and summarize research papers",
  version: "1.0.0",
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [
    {
      id: "search",
      name: "Search Papers",
      description: "Search for papers by topic, author, or keyword",
      tags: ["papers"],
    },
    {
      id: "summarize",
      name: "Summarize Paper",
      description: "Generate a summary of a specific paper",
      tags: ["Papers", "text"],
    },
  ],
};

/** Serves a handler and a card with an ETag. */
export async function serveWithCard(
  create: (asked: Asked) => HttpHandler,
  cardOf: (url: string) => object,
): Promise<TestAgent> {
  const asked: Asked = { keys: [], cards: [], messages: [] };
  const handle = create(asked);
  let text = "";
  const server = await listen(async (request) => {
    asked.keys.push(request.headers["x-api-key"] ?? "");
    if (!request.url.endsWith(".json")) return handle(request);
    const etag = `"${createHash("sha1").update(text).digest("hex")}"`;
    const status = request.headers["if-none-match"] === etag ? 304 : 200;
    asked.cards.push(status);
    const headers = { "content-type": "application/json", etag, "cache-control": "max-age=3600" };
    return { status, headers, body: status === 304 ? "" : text };
  });
  const served = cardOf(server.url);
  text = JSON.stringify(served);
  return {
    url: server.url,
    cardUrl: `${server.url}/.well-known/agent-card.json`,
    asked,
    change: (members) => {
      text = JSON.stringify({ ...served, ...members });
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const noTask = (id: string): A2AError => new A2AError("TASK_NOT_FOUND", `There is no task ${id}`);

/** The agent of the document's samples, in A2A 0.3. */
export const researchAgent03 = (members: object = {}): Promise<TestAgent> => {
  const task: v03.Task = {
    kind: "task",
    id: "task-123",
    contextId: "ctx-456",
    status: {
      state: v03.TaskState.COMPLETED,
      message: {
        kind: "message",
        messageId: "m",
        role: "agent",
        contextId: "ctx-456",
        parts: [{ kind: "text", text: found }],
      },
    },
    artifacts: [
      {
        artifactId: "art-789",
        description: "Search results for quantum computing papers",
        name: "Search Results",
        // In 0.3 data is an object; a list is wrapped, and flagged as such.
        parts: [{ kind: "data", data: { value: papers }, metadata: { data_part_compat: true } }],
      },
      {
        artifactId: "art-790",
        description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
        name: "Abstract",
        parts: [{ kind: "text", text: abstract }],
      },
    ],
  };
  return serveWithCard(
    (asked) =>
      createRouter(v03.A2A, {
        sendMessage: ({ message }) => {
          asked.messages.push(message);
          return task;
        },
        getTask: ({ id }) => {
          if (id !== task.id) throw noTask(id);
          return task;
        },
      }).handle,
    (url) => ({
      ...card,
      url,
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      capabilities: {},
      ...members,
    }),
  );
};

/** The agent of the document's samples, in A2A 1.0. */
export const researchAgent10 = (members: object = {}): Promise<TestAgent> => {
  const task: v1.Task = {
    id: "task-123",
    contextId: "ctx-456",
    status: {
      state: "TASK_STATE_COMPLETED",
      message: { messageId: "m", role: "ROLE_AGENT", contextId: "ctx-456", parts: [{ text: found }] },
    },
    artifacts: [
      {
        artifactId: "art-789",
        description: "Search results for quantum computing papers",
        name: "Search Results",
        parts: [{ data: papers }],
      },
      {
        artifactId: "art-790",
        description: "Abstract of 'Quantum Error Correction Advances' by Chen et al.",
        name: "Abstract",
        parts: [{ text: abstract }],
      },
    ],
  };
  return serveWithCard(
    (asked) =>
      createRouter(v1.A2A, {
        sendMessage: ({ message }) => {
          asked.messages.push(message);
          return { task };
        },
        getTask: ({ id }) => {
          if (id !== task.id) throw noTask(id);
          return task;
        },
      }).handle,
    (url) => ({
      ...card,
      supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: {},
      ...members,
    }),
  );
};
