import { describe, expect, it } from "vitest";
import {
  createClient,
  jsonRpc,
  tolerant,
  type Client,
  type ClientWarning,
  type Interceptor,
} from "a2a-typed";
import { A2A, userMessage } from "a2a-typed/v1";
import { bridgeTransport } from "../../src/client/bridge-transport.js";
import { createBridge } from "../../src/convert/bridge.js";
import { loadBridge } from "../../src/versions/bridges.js";
import { drain, failure, frame, listen, openStream, reply, task, type TestServer } from "./support.js";

const hello = { message: userMessage("hello") };

/** A client of 1.0 whose calls go over a bridge to 1.0: nothing is converted, everything passes through. */
function across(server: TestServer): { client: Client<typeof A2A>; warnings: ClientWarning[] } {
  const warnings: ClientWarning[] = [];
  const bridge = createBridge([], { near: A2A, far: A2A });
  const client = createClient(A2A, bridgeTransport(jsonRpc({ url: server.url }), bridge), {
    mode: tolerant,
    onWarning: (warning) => warnings.push(warning),
  });
  return { client, warnings };
}

describe("a bridge between forms that wrap their events", () => {
  it("passes over an event of which nothing is known, and ends where the far side ends", async () => {
    await using server = await listen((seen, response) => {
      const events = [task("TASK_STATE_WORKING"), { progress: {}, other: 1 }, task("TASK_STATE_COMPLETED")];
      openStream(response)(events.map((event) => frame(seen.json.id, event)).join(""));
      response.end();
    });
    const { client, warnings } = across(server);
    const { events, error } = await drain(client.sendStreamingMessage(hello));
    expect(error).toBeUndefined();
    expect(events).toHaveLength(2);
    expect(warnings).toEqual([
      { method: "sendStreamingMessage", code: "unknown-event", message: "Skipped an event: progress, other" },
    ]);
  });

  it("refuses an event with nothing in it", async () => {
    await using server = await listen((seen, response) => {
      openStream(response)(frame(seen.json.id, {}));
    });
    const { error } = await drain(across(server).client.sendStreamingMessage(hello));
    expect(error?.reason).toBe("INVALID_AGENT_RESPONSE");
  });
});

describe("headers", () => {
  /** What a call to 0.3 sends, and what of the reply an interceptor of 1.0 sees. */
  async function headersOf(
    answer: Record<string, string>,
    own: Record<string, string> = {},
  ): Promise<{ sent: TestServer["seen"][number]["headers"]; got: Record<string, string> }> {
    await using server = await listen((seen, response) => {
      reply(response, { jsonrpc: "2.0", id: seen.json.id, result: null }, { headers: answer });
    });
    let got: Record<string, string> = {};
    const look: Interceptor = (next) => async (call) => {
      const answered = await next(call);
      got = answered.headers;
      return answered;
    };
    const transport = bridgeTransport(jsonRpc({ url: server.url }), await loadBridge("0.3"));
    const client = createClient(A2A, transport, { interceptors: [look], headers: own });
    await client.deleteTaskPushNotificationConfig({ taskId: "t1", id: "p1" });
    return { sent: server.seen[0]?.headers ?? {}, got };
  }

  it("of activated extensions have the name of the near side too", async () => {
    const { got } = await headersOf({ "x-a2a-extensions": "urn:a" });
    expect(got).toMatchObject({ "a2a-extensions": "urn:a", "x-a2a-extensions": "urn:a" });
    const { got: both } = await headersOf({ "x-a2a-extensions": "urn:a", "a2a-extensions": "urn:b" });
    expect(both["a2a-extensions"]).toBe("urn:b");
    expect((await headersOf({})).got).not.toHaveProperty("a2a-extensions");
  });

  it("name the far version, unless the caller names one", async () => {
    expect((await headersOf({})).sent["a2a-version"]).toBe("0.3");
    expect((await headersOf({}, { "A2A-Version": "0.3.0" })).sent["a2a-version"]).toBe("0.3.0");
  });
});

it("what the far version cannot say is refused before anything is sent", async () => {
  await using server = await listen(() => undefined);
  const client = createClient(A2A, bridgeTransport(jsonRpc({ url: server.url }), await loadBridge("0.3")));
  const error = await failure(client.listTasks());
  expect(error).toMatchObject({ reason: "UNSUPPORTED_OPERATION", code: -32004 });
  expect(server.seen).toEqual([]);
});
