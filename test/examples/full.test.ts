import { createClient, jsonRpc } from "a2a-typed";
import { A2A, TaskState, textOf, userMessage, type StreamResponse } from "a2a-typed/v1";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { runExample } from "./run-example.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Collects webhooks until the task has ended. */
async function receiver() {
  const bodies: StreamResponse[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      response.writeHead(204).end();
      const body = JSON.parse(text) as StreamResponse;
      bodies.push(body);
      if (body.statusUpdate?.status.state === TaskState.COMPLETED) server.emit("completed");
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  const completed = once(server, "completed");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies, completed };
}

it("full.ts asks, streams, reports to webhooks, and can be canceled", { timeout: 60_000 }, async () => {
  await using example = runExample("full.ts");
  const [, url = ""] = await example.printed(/listens on (http:\S+)/);
  await using client = createClient(A2A, jsonRpc({ url }));
  const asked = async (city: string) => {
    const first = await client.sendMessage({ message: userMessage("plan a trip") });
    const taskId = first.task?.id ?? "";
    expect(first.task?.status.state).toBe(TaskState.INPUT_REQUIRED);
    expect(textOf(first.task?.status.message)).toBe("Which city?");
    const second = await client.sendMessage({ message: userMessage(city, { taskId }) });
    expect(textOf(second.task?.status.message)).toBe(`${city}: for how many days?`);
    return taskId;
  };

  const taskId = await asked("Rome");
  const hooks = await receiver();
  const words: string[] = [];
  for await (const event of client.sendStreamingMessage({
    message: userMessage("3", { taskId }),
    configuration: { taskPushNotificationConfig: { url: hooks.url } },
  })) {
    const text = event.artifactUpdate ? textOf(event.artifactUpdate.artifact) : "";
    if (text !== "") words.push(text);
  }
  expect(words).toEqual(["A ", "trip ", "to ", "Rome ", "is ", "a ", "fine ", "idea."]);
  const task = await client.getTask({ id: taskId });
  expect(task.status.state).toBe(TaskState.COMPLETED);
  expect(textOf(task.status.message)).toBe("3 days in Rome");
  expect(task.artifacts?.at(-1)).toMatchObject({ parts: [{ data: { city: "Rome", days: 3 } }] });
  await hooks.completed;
  expect(hooks.bodies.some(({ artifactUpdate }) => artifactUpdate !== undefined)).toBe(true);

  const other = await asked("Oslo");
  for await (const event of client.sendStreamingMessage({ message: userMessage("2", { taskId: other }) })) {
    if (event.artifactUpdate) break;
  }
  expect((await client.cancelTask({ id: other })).status.state).toBe(TaskState.CANCELED);
  await example.printed(/no trip to Oslo/);
});
