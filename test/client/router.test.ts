import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A, userMessage, type AgentCard, type Task } from "../../generated/v1.0/index.js";
import { A2AError, createClient, httpJson, inMemory, jsonRpc, type Client } from "../../src/index.js";
import { JsonText } from "../../src/json-text.js";
import { listen, type Listening } from "../../src/node.js";
import { createRouter, type Router } from "../../src/server/router.js";
import { chunk, drain, failure, status, task } from "./support.js";

const working: Task = { id: "a/b:c", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };
const event = (value: object, id: number): JsonText<never> => new JsonText(JSON.stringify(value), id);
let seen: unknown;

/** One router under all three transports. */
const router: Router<typeof A2A> = createRouter(A2A, {
  sendMessage: (input) => ({ message: { ...input.message, role: "ROLE_AGENT" } }),
  getTask: (input, ctx) => {
    seen = { input, tenant: ctx.context.tenant, extensions: ctx.context.requestedExtensions };
    return { ...working, id: input.id };
  },
  listTasks: (input) => {
    seen = input;
    return { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
  },
  cancelTask: (input) => {
    throw new A2AError("TASK_NOT_CANCELABLE", `${input.id} is over`, { metadata: { taskId: input.id } });
  },
  deleteTaskPushNotificationConfig: () => ({}),
  async *sendStreamingMessage() {
    yield event(task("TASK_STATE_WORKING"), 1);
    yield [event(chunk("é"), 2), event(chunk("\u2028\n"), 3)];
    yield await Promise.resolve(event(status("TASK_STATE_COMPLETED"), 4));
  },
  async *subscribeToTask(input) {
    yield await Promise.resolve(event(task("TASK_STATE_WORKING"), 1));
    throw new A2AError("TASK_NOT_FOUND", `${input.id} went away`);
  },
});

let server: Listening;
beforeAll(async () => {
  server = await listen(router.handle);
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(["JSON-RPC", "HTTP+JSON", "memory"])(
  "a client and a router of this library over %s",
  (binding) => {
    let client: Client<typeof A2A>;
    beforeAll(() => {
      const transport =
        binding === "JSON-RPC"
          ? jsonRpc({ url: server.url })
          : binding === "HTTP+JSON"
            ? httpJson({ url: server.url })
            : inMemory(router);
      client = createClient(A2A, transport, { extensions: ["urn:a"] });
    });

    it("carry inputs and outputs (A2A-5.1-b)", async () => {
      const message = userMessage("hello");
      expect(await client.sendMessage({ message })).toEqual({ message: { ...message, role: "ROLE_AGENT" } });
      expect(await client.getTask({ id: "a/b:c", historyLength: 0, tenant: "acme" })).toEqual(working);
      expect(seen).toEqual({
        input: { id: "a/b:c", historyLength: 0, tenant: "acme" },
        tenant: "acme",
        extensions: ["urn:a"],
      });
      const filter = {
        status: "TASK_STATE_WORKING",
        includeArtifacts: false,
        pageToken: "a+b&c",
        pageSize: 3,
      } as const;
      await client.listTasks(filter);
      expect(seen).toEqual(filter);
      expect(await client.deleteTaskPushNotificationConfig({ taskId: "t", id: "p" })).toEqual({});
    });

    it("carry errors (A2A-5.1-c)", async () => {
      const error = await failure(client.cancelTask({ id: "t1" }));
      expect(error).toMatchObject({
        reason: "TASK_NOT_CANCELABLE",
        code: -32002,
        message: "t1 is over",
        metadata: { taskId: "t1" },
      });
      expect((await failure(client.getExtendedAgentCard())).reason).toBe("UNSUPPORTED_OPERATION");
      const card = client.getExtendedAgentCard({}) satisfies Promise<AgentCard>;
      await failure(card);
    });

    it("carry streams, with ids and errors", async () => {
      const stream = client.sendStreamingMessage({ message: userMessage("go") });
      expect(await drain(stream)).toEqual({
        events: [task("TASK_STATE_WORKING"), chunk("é"), chunk("\u2028\n"), status("TASK_STATE_COMPLETED")],
      });
      expect(stream.lastEventId).toBe("4");
      const { events, error } = await drain(client.subscribeToTask({ id: "t1" }));
      expect(events.length).toBe(1);
      expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", message: "t1 went away" });
    });
  },
);
