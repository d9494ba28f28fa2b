import { expect, it } from "vitest";
import { connect, type ClientWarning } from "a2a-typed/client";
import { userMessage } from "a2a-typed/v1";
import { drain, frame, listen, openStream, reply } from "../support.js";
import { oldCard, oldStatus, oldTask } from "./legacy-agent.js";

it("lists of parts that an agent of 0.3 leaves empty are passed on, and told", async () => {
  const empty = { kind: "message", messageId: "m2", role: "agent", parts: [] };
  const artifact = { artifactId: "a1", parts: [] };
  await using server = await listen((seen, response) => {
    if (seen.method === "GET") {
      reply(response, oldCard("/rpc"));
      return;
    }
    const { id, method } = JSON.parse(seen.body) as { readonly id: unknown; readonly method: string };
    if (method === "message/send") {
      reply(response, { jsonrpc: "2.0", id, result: empty });
      return;
    }
    const events = [
      oldTask("working"),
      { kind: "artifact-update", taskId: "t1", contextId: "c1", artifact, append: true, lastChunk: true },
      oldStatus("completed", true),
    ];
    openStream(response)(events.map((event) => frame(id, event)).join(""));
  });
  const warnings: ClientWarning[] = [];
  const agent = await connect(server.url, { onWarning: (warning) => warnings.push(warning) });

  const { message } = await agent.sendMessage({ message: userMessage("hi") });
  expect(message).toEqual({ messageId: "m2", role: "ROLE_AGENT", parts: [] });
  expect(warnings).toMatchObject([{ code: "empty_list", pointer: "/message/parts" }]);

  const { events, error } = await drain(agent.sendStreamingMessage({ message: userMessage("hi") }));
  expect(error).toBeUndefined();
  expect(events[1]?.artifactUpdate).toMatchObject({ artifact, lastChunk: true });
});
