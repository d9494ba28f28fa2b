/** Streams beside webhooks, as the topic on asynchronous work describes them. */
import { describe, expect, it } from "vitest";
import { userMessage, type StreamResponse } from "../../src/versions/pivot.js";
import { ask, eventsOf, v1 } from "../rpc/support.js";
import { agentOf } from "../server/agents.js";
import { bindings, serveAgent } from "./over-bindings.js";

describe.each(bindings)("a stream over %s", (binding) => {
  it("is 200 with text/event-stream, and ends at a last state or a question (A2A-SA-a, A2A-SA-b)", async () => {
    const agent = agentOf(async (ctx) => (ctx.turn === 1 ? ctx.inputRequired("Which?") : "done"));
    await using server = await serveAgent(agent);
    const stream = async (taskId?: string) => {
      const params = { message: userMessage("go", taskId === undefined ? {} : { taskId }) };
      const isRpc = binding === "JSONRPC";
      const body = isRpc ? { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params } : params;
      // It resolves when the server ends the response.
      const answer = await ask(server, isRpc ? "/" : "/message:stream", {
        method: "POST",
        headers: v1,
        body,
      });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toMatch(/^text\/event-stream\b/);
      return eventsOf(answer.text).map(({ data }) => (data.result ?? data) as StreamResponse);
    };
    const first = await stream();
    expect(first.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const second = await stream(first[0]?.task?.id);
    expect(second.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });
});
