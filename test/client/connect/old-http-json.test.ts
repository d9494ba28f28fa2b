import { describe, expect, it } from "vitest";
import { connect, type Agent, type ClientWarning } from "a2a-typed/client";
import { file, text, userMessage } from "a2a-typed/v1";
import { drain, failure, listen, openStream, reply, type TestServer } from "../support.js";
import { oldCard } from "./legacy-agent.js";

/** A task of the ProtoJSON that 0.3 speaks over HTTP+JSON. */
const protoTask = (state: string): object => ({
  id: "t1",
  contextId: "c1",
  status: { state, timestamp: "2025-01-02T03:04:05Z" },
  artifacts: [{ artifactId: "a1", parts: [{ text: "done" }] }],
});

/** An agent of 0.3 that speaks HTTP+JSON only, at `/api`. */
const startAgent = (): Promise<TestServer> =>
  listen((seen, response) => {
    const path = `${seen.method} ${seen.url.split("?")[0] ?? ""}`;
    if (path === "GET /.well-known/agent-card.json") {
      reply(response, oldCard("/api", { preferredTransport: "HTTP+JSON" }));
    } else if (path === "POST /api/v1/message:send")
      reply(response, { task: protoTask("TASK_STATE_COMPLETED") });
    else if (path === "POST /api/v1/message:stream") {
      const status = { state: "TASK_STATE_CANCELLED" };
      const events = [
        { task: protoTask("TASK_STATE_WORKING") },
        { statusUpdate: { taskId: "t1", contextId: "c1", status, final: true } },
      ];
      openStream(response)(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    } else if (path === "GET /api/v1/tasks/t1") reply(response, protoTask("TASK_STATE_INPUT_REQUIRED"));
    else reply(response, { code: -32001, message: "no such task" }, { status: 404 });
  });

async function meet(): Promise<
  { server: TestServer; agent: Agent; warnings: ClientWarning[] } & AsyncDisposable
> {
  const server = await startAgent();
  const warnings: ClientWarning[] = [];
  const agent = await connect(server.url, { onWarning: (warning) => warnings.push(warning) });
  return {
    server,
    agent,
    warnings,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("an agent of 0.3 over HTTP+JSON, whose bodies are the ProtoJSON of its proto", () => {
  it("gets messages in its form, and its replies come in that of 1.0", async () => {
    await using met = await meet();
    expect(met.agent.interface).toMatchObject({
      protocolBinding: "HTTP+JSON",
      protocolVersion: "0.3",
      url: `${met.server.url}/api`,
    });
    const part = file({ bytes: "aGk=" }, { mediaType: "text/plain" });
    const message = userMessage([text("hi"), part], { messageId: "m1" });
    const said = await met.agent.sendMessage({ message });
    expect(said.task?.status).toEqual({ state: "TASK_STATE_COMPLETED", timestamp: "2025-01-02T03:04:05Z" });
    expect(said.task?.artifacts?.[0]?.parts).toEqual([{ text: "done" }]);
    expect(met.server.seen.at(-1)).toMatchObject({
      url: "/api/v1/message:send",
      headers: { "a2a-version": "0.3" },
      json: {
        message: {
          messageId: "m1",
          role: "ROLE_USER",
          content: [{ text: "hi" }, { file: { fileWithBytes: "aGk=", mimeType: "text/plain" } }],
        },
      },
    });
    expect(met.warnings).toEqual([]);
  });

  it("streams to the final event", async () => {
    await using met = await meet();
    const { events, error } = await drain(met.agent.sendStreamingMessage({ message: userMessage("hi") }));
    expect(error).toBeUndefined();
    expect(events.map((event) => (event.task ?? event.statusUpdate)?.status.state)).toEqual([
      "TASK_STATE_WORKING",
      "TASK_STATE_CANCELED",
    ]);
    await met.server.seen.at(-1)?.closed;
  });

  it("gives tasks, and errors by name", async () => {
    await using met = await meet();
    expect((await met.agent.getTask({ id: "t1" })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect((await failure(met.agent.getTask({ id: "t2" }))).reason).toBe("TASK_NOT_FOUND");
    expect((await failure(met.agent.listTasks())).reason).toBe("UNSUPPORTED_OPERATION");
  });
});
