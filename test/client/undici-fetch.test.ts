import { describe, expect, it } from "vitest";
import { A2A, userMessage } from "../../generated/v1.0/index.js";
import { undiciFetch } from "../../src/client/undici-fetch.js";
import { createClient, jsonRpc } from "../../src/index.js";
import { drain, failure, frame, listen, message, openStream, reply, status, task } from "./support.js";

const hello = { message: userMessage("hello") };

describe("undiciFetch", () => {
  it("keeps its connections and frees them when closed", async () => {
    const sockets = new Set<unknown>();
    await using server = await listen((seen, response) => {
      sockets.add(response.socket);
      reply(response, { jsonrpc: "2.0", id: seen.json.id, result: message("hi") });
    });
    const fetch = undiciFetch({ connections: 1 });
    const client = createClient(A2A, jsonRpc({ url: server.url, fetch }));
    for (let i = 0; i < 5; i++) await client.sendMessage(hello);
    expect(sockets.size).toBe(1);
    await fetch.close();
    expect((await failure(client.sendMessage(hello))).reason).toBe("CONFIG");
  });

  it("streams, and break closes the socket", async () => {
    await using server = await listen((seen, response) => {
      const send = openStream(response);
      send(frame(seen.json.id, task("TASK_STATE_WORKING")));
      if (seen.json.method === "SubscribeToTask") {
        send(frame(seen.json.id, status("TASK_STATE_COMPLETED")));
        response.end();
      }
    });
    await using fetch = undiciFetch();
    const client = createClient(A2A, jsonRpc({ url: server.url, fetch }));
    expect((await drain(client.subscribeToTask({ id: "t1" }))).events.length).toBe(2);
    for await (const event of client.sendStreamingMessage(hello)) {
      expect(event.task?.id).toBe("t1");
      break;
    }
    await server.seen[1]?.closed;
  });

  it("refuses redirects and reports failures as the default fetch does", async () => {
    const server = await listen((_, response) => {
      reply(response, "", { status: 307, headers: { location: "http://127.0.0.1:1/" } });
    });
    await using fetch = undiciFetch();
    const client = createClient(A2A, jsonRpc({ url: server.url, fetch }));
    expect((await failure(client.sendMessage(hello))).reason).toBe("HTTP");
    await server[Symbol.asyncDispose]();
    const nobody = createClient(A2A, jsonRpc({ url: server.url, fetch }));
    const error = await failure(nobody.sendMessage(hello));
    expect(error.reason).toBe("NETWORK");
    expect(error.message).toContain("ECONNREFUSED");
  });
});
