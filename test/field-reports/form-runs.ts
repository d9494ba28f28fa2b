import { expect } from "vitest";
import * as form from "../../generated/v0.3/proto/tables.js";
import { A2A as A2A03 } from "../../generated/v0.3/service.js";
import { createClient, httpJson } from "a2a-typed";
import { decode } from "../../src/codec/decode.js";
import type { Loss } from "../../src/convert/types.js";
import type { Rule } from "../../src/descriptor.js";
import { loadBridge } from "../../src/versions/bridges.js";
import { expectedOf, inputOf, type FieldCase, type Run } from "./cases.js";
import { startPeer } from "./peer.js";

/** Reads the input by its table in the ProtoJSON of 0.3, and expects what it is in 1.0. */
const readTo10 =
  (table: Rule, direction: "request" | "reply", type: string): Run =>
  async ({ input, expected }: FieldCase) => {
    const bridge = await loadBridge("0.3/proto");
    const value = decode<unknown>(table, input, { direction });
    expect(bridge.conversion(type).up(value)).toEqual(expected);
  };

/** The URL that a client of 0.3 asks, without the origin of the peer. */
const asks =
  (call: (url: string) => Promise<unknown>): Run =>
  async (fieldCase) => {
    const { base } = inputOf<{ base: string }>(fieldCase);
    const { origin } = new URL(base);
    await using peer = await startPeer({ status: 404 });
    await call(base.replace(origin, peer.url)).catch(() => undefined);
    expect(`${origin}${peer.requests[0]?.url ?? ""}`).toBe(expectedOf<{ url: string }>(fieldCase).url);
  };

const client = (url: string) => createClient(A2A03, httpJson({ url }));
const hook = { url: "https://hook.example.com" };

/** Cases of 0.3 over HTTP+JSON: the ProtoJSON of its proto, and the routes of it. */
export const formRuns: Record<string, Run> = {
  async B027b(fieldCase) {
    const { part, lossReport } = expectedOf<{ part: object; lossReport: string[] }>(fieldCase);
    const losses: Loss[] = [];
    const bridge = await loadBridge("0.3/proto");
    expect(bridge.conversion("Part").down(fieldCase.input, {}, losses)).toEqual(part);
    expect(losses).toEqual(lossReport.map((name) => ({ path: `/${name}`, code: "dropped" })));
  },
  B030a: readTo10(form.SendMessageRequest, "request", "SendMessageRequest"),
  B030b: readTo10(form.SendMessageRequest, "request", "SendMessageRequest"),
  B030c: readTo10(form.SendMessageResponse, "reply", "SendMessageResponse"),
  B033a: readTo10(form.GetTaskRequest, "request", "GetTaskRequest"),
  B036b: readTo10(form.TaskPushNotificationConfig, "reply", "TaskPushNotificationConfig"),
  B086b: asks((url) =>
    client(url).sendMessage({ message: { kind: "message", messageId: "m1", role: "user", parts: [] } }),
  ),
  B087: asks((url) =>
    client(url).setTaskPushNotificationConfig({ taskId: "t1", pushNotificationConfig: hook }),
  ),
};
