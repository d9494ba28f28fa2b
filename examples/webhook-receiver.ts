// An agent that signs its webhooks and a receiver that verifies them, in one process: npx tsx examples/webhook-receiver.ts
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { createClient, jsonRpc } from "a2a-typed";
import { defineAgent, serve } from "a2a-typed/server";
import { A2A, textOf, userMessage } from "a2a-typed/v1";
import { createWebhookHandler, webhookRegistration } from "a2a-typed/webhook";

const agent = defineAgent({
  card: { name: "Reporter", description: "Takes its time.", skills: [] },
  handle: async () => "done",
});

// A key that lasts; here it is made anew.
const { privateKey } = await generateKeyPair("ES256", { extractable: true });
const key = await exportJWK(privateKey);

// #region sign
await using server = await serve(agent, {
  port: 0,
  keys: { signing: [{ kid: "2030-01", alg: "ES256", key }] },
  push: { allow: ["127.0.0.1"], sign: true, events: "significant" },
});
// #endregion sign

await using client = createClient(A2A, jsonRpc({ url: server.url }));
const http = createServer();
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`;

// #region receive
const registration = webhookRegistration(url, { allowHttp: true });
const started: { id?: Promise<string> } = {};
const handle = createWebhookHandler(
  {
    token: registration.token,
    jwks: new URL("/.well-known/jwks.json", server.url),
    issuer: server.url,
    audience: url,
    // An event may come before the reply that names its task.
    taskIds: async (id) => id === (await started.id),
  },
  async ({ taskId, event }) => {
    // An event says that something happened; the task has all of it.
    const task = await client.getTask({ id: taskId });
    console.log(event.statusUpdate?.status.state, textOf(task));
  },
);
// #endregion receive

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await handle(
    new Request(url, {
      method: "POST",
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    }),
  );
  response.writeHead(answer.status).end();
  if (answer.ok) http.close();
}
http.on("request", (request, response) => void receive(request, response));

started.id = client
  .sendMessage({
    message: userMessage("go"),
    configuration: { returnImmediately: true, taskPushNotificationConfig: registration },
  })
  .then(({ task }) => task?.id ?? "");
await new Promise((resolve) => http.once("close", resolve));
