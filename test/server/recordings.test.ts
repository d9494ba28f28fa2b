/** Recorders and the player of `a2a-typed/testing`. */
import { describe, expect, test } from "vitest";
import { createClient, inMemory } from "../../src/index.js";
import { serve } from "../../src/server.js";
import { playTransport, recordSse, recordStream, recordTransport } from "../../src/testing.js";
import { pivot, textOf, userMessage, type StreamResponse } from "../../src/versions/pivot.js";
import { agentOf, quiet, start } from "./agents.js";

const agent = agentOf(async function* () {
  yield "a";
  yield "b";
});

async function all(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a recorded transport", () => {
  test("plays back what was answered: values, events with their ids, errors", async () => {
    const lines: string[] = [];
    const { server } = start(agent);
    const live = createClient(
      pivot,
      recordTransport(inMemory(server), (line) => lines.push(line)),
    );
    const events = await all(live.sendStreamingMessage({ message: userMessage("x") }));
    const sent = await live.sendMessage({ message: userMessage("x") });
    const missing = await live.getTask({ id: "nope" }).catch((error: unknown) => error);

    const text = lines.join("");
    const played = createClient(pivot, playTransport(text));
    const stream = played.sendStreamingMessage({ message: userMessage("anything") });
    expect(await all(stream)).toEqual(events);
    expect(stream.lastEventId).toBe("5");
    expect(await played.sendMessage({ message: userMessage("x") })).toEqual(sent);
    await expect(played.getTask({ id: "nope" })).rejects.toMatchObject({
      reason: "TASK_NOT_FOUND",
      message: (missing as Error).message,
    });
    await expect(played.getTask({ id: "nope" })).rejects.toMatchObject({ reason: "CONFIG" });
    for (const line of lines) expect(line).toMatch(/^\{.*\}\n$/);
  });

  test("plays with the pauses of the recording, faster or slower", async () => {
    const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } };
    const text = `${JSON.stringify({ event: { task }, ms: 40 })}\n${JSON.stringify({ end: true, ms: 40 })}\n`;
    const started = performance.now();
    const client = createClient(pivot, playTransport(text, { speed: 2 }));
    await all(client.sendStreamingMessage({ message: userMessage("x") }));
    expect(performance.now() - started).toBeGreaterThan(15);
  });

  test("a line that is no JSON is named", () => {
    expect(() => playTransport('{"end":true,"ms":0}\nnot json\n')).toThrow("Line 2");
  });
});

test("the events of a client stream can be recorded as they pass, and answer any stream", async () => {
  const lines: string[] = [];
  const { client } = start(agent);
  const stream = client.sendStreamingMessage({ message: userMessage("x") });
  const events = await all(recordStream(stream, (line) => lines.push(line)));
  const played = createClient(pivot, playTransport(lines.join("")));
  expect(await all(played.sendStreamingMessage({ message: userMessage("x") }))).toEqual(events);
});

test("an event-stream body can be recorded, with or without a JSON-RPC envelope", async () => {
  await using server = await serve(agent, { port: 0, logger: quiet });
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const message = userMessage("x");
  const rpc = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: { message } };
  const requests: [string, object][] = [
    [server.url, rpc],
    [`${server.url}/message:stream`, { message }],
  ];
  for (const [url, body] of requests) {
    const lines: string[] = [];
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.body === null) throw new Error("expected a body");
    await recordSse(response.body, (line) => lines.push(line));
    const played = createClient(pivot, playTransport(lines.join("")));
    const events = await all(played.sendStreamingMessage({ message: userMessage("x") }));
    expect(events.map(textOf)).toEqual(["", "a", "b", "", ""]);
  }
});
