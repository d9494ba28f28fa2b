// An agent that reports by webhook, and a receiver of its reports, in one process: npx tsx examples/webhooks.ts
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, jsonRpc } from "a2a-typed";
import { defineAgent, serve } from "a2a-typed/server";
import { A2A, userMessage, type StreamResponse } from "a2a-typed/v1";

const receiver = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const known = request.headers["x-a2a-notification-token"] === "a secret of this task";
    response.writeHead(known ? 204 : 401).end();
    const { task, statusUpdate, artifactUpdate } = JSON.parse(body) as StreamResponse;
    console.log((task ?? statusUpdate)?.status.state ?? artifactUpdate?.artifact.parts);
    if (statusUpdate?.status.state === "TASK_STATE_COMPLETED") receiver.close();
  });
}).listen(0, "127.0.0.1");

// #region serve
const agent = defineAgent({
  card: { name: "Reporter", description: "Takes its time.", skills: [] },
  async handle(ctx) {
    ctx.working("counting");
    return "done";
  },
});
// Addresses inside the network are refused unless they are named.
await using server = await serve(agent, { port: 0, push: { allow: ["127.0.0.1"] } });
// #endregion serve

await using client = createClient(A2A, jsonRpc({ url: server.url }));
const { port } = receiver.address() as AddressInfo;
await client.sendMessage({
  message: userMessage("go"),
  configuration: {
    returnImmediately: true,
    taskPushNotificationConfig: { url: `http://127.0.0.1:${port}/hook`, token: "a secret of this task" },
  },
});
await new Promise((resolve) => receiver.once("close", resolve));
