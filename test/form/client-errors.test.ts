import { describe, expect, it } from "vitest";
import { startPeer } from "../field-reports/peer.js";
import { type V03, answering, clientOf, configForm, message, taskConfig } from "./client-support.js";

describe("errors of 0.3 over HTTP+JSON", () => {
  const get = (client: V03): Promise<unknown> => client.getTask({ id: "t1" });
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    domain: "a2a-protocol.org",
    reason: "TASK_NOT_CANCELABLE",
  };

  it.each<
    [what: string, status: number, body: unknown, call: (client: V03) => Promise<unknown>, error: object]
  >([
    [
      "a code",
      404,
      { code: -32001, message: "gone", data: { a: 1 } },
      get,
      { reason: "TASK_NOT_FOUND", data: { a: 1 } },
    ],
    [
      "a code of JSON-RPC",
      400,
      { code: -32602, message: "no" },
      get,
      { reason: "INVALID_PARAMS", code: -32602 },
    ],
    [
      "a code within",
      500,
      { error: { code: -32006, message: "x" } },
      get,
      { reason: "INVALID_AGENT_RESPONSE" },
    ],
    [
      "1.0",
      400,
      { error: { code: 400, message: "x", details: [info] } },
      get,
      { reason: "TASK_NOT_CANCELABLE" },
    ],
    [
      "a problem",
      401,
      { type: "about:blank", title: "Who?" },
      get,
      { reason: "UNAUTHENTICATED", message: "Who?" },
    ],
    ["404 of a task", 404, { message: "Task x not found" }, get, { reason: "TASK_NOT_FOUND", code: -32001 }],
    ["404 of a route", 404, { detail: "Not Found" }, get, { reason: "METHOD_NOT_FOUND" }],
    [
      "404 of a card",
      404,
      { message: "none" },
      (client) => client.getAuthenticatedExtendedCard(),
      { reason: "AUTHENTICATED_EXTENDED_CARD_NOT_CONFIGURED" },
    ],
    [
      "409",
      409,
      { message: "done" },
      (client) => client.cancelTask({ id: "t1" }),
      { reason: "TASK_NOT_CANCELABLE", status: 409 },
    ],
    [
      "415",
      415,
      { message: "no" },
      (client) => client.sendMessage({ message }),
      { reason: "CONTENT_TYPE_NOT_SUPPORTED" },
    ],
    ["422", 422, { message: "no" }, get, { reason: "INVALID_PARAMS", code: -32602 }],
    [
      "501",
      501,
      { message: "no" },
      (client) => client.sendMessage({ message }),
      { reason: "UNSUPPORTED_OPERATION" },
    ],
    [
      "501 of webhooks",
      501,
      { message: "no" },
      (client) => client.listTaskPushNotificationConfig({ id: "t1" }),
      { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" },
    ],
    ["502", 502, { message: "no" }, get, { reason: "INVALID_AGENT_RESPONSE" }],
    ["500", 500, { message: "no" }, get, { reason: "INTERNAL_ERROR", status: 500 }],
    ["503", 503, { message: "later" }, get, { reason: "UNAVAILABLE" }],
    [
      "a text of the schema",
      500,
      { message: "Task cannot be canceled" },
      get,
      { reason: "TASK_NOT_CANCELABLE" },
    ],
    ["a page", 502, undefined, get, { reason: "HTTP", status: 502 }],
  ])("%s", async (_, status, body, call, error) => {
    await using peer = await startPeer(answering(body, status));
    await using client = clientOf(peer);
    await expect(call(client)).rejects.toMatchObject({ status, ...error });
  });

  it("sends the whole request where the peer cannot make anything of one field", async () => {
    let count = 0;
    await using peer = await startPeer(() =>
      ++count === 1 ? answering({ message: "unknown exception" }, 500) : answering(configForm),
    );
    await using client = clientOf(peer);
    expect(await client.setTaskPushNotificationConfig(taskConfig)).toEqual(taskConfig);
    expect(peer.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      configForm,
      { parent: "tasks/t1", configId: "p1", config: configForm },
    ]);
  });

  it("does not repeat a registration that was refused for a reason", async () => {
    await using peer = await startPeer(answering({ code: -32003, message: "no" }, 400));
    await using client = clientOf(peer);
    const failure = { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" };
    await expect(client.setTaskPushNotificationConfig(taskConfig)).rejects.toMatchObject(failure);
    expect(peer.requests).toHaveLength(1);
  });
});
