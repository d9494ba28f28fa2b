import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fromRpcError } from "../../src/binding/from-rpc-error.js";
import { toRpcError } from "../../src/binding/to-rpc-error.js";
import { A2AError } from "../../src/errors.js";
import { loadBridge } from "../../src/versions/bridges.js";

interface WireError {
  readonly id: string;
  readonly "v0.3": unknown;
  readonly "v1.0": unknown;
  readonly roundTrip?: boolean;
}

interface Envelope {
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

interface EnvelopePair {
  readonly id: string;
  readonly "v0.3": { readonly json: Envelope };
  readonly "v1.0": { readonly json: Envelope };
}

const { errors, envelopes } = JSON.parse(
  readFileSync(new URL("../vectors/shared/wire.json", import.meta.url), "utf8"),
) as { errors: WireError[]; envelopes: EnvelopePair[] };

const bridge = await loadBridge("0.3");
const { near, far } = bridge;

describe("an error of one generation is said in the words of the other", () => {
  it.each(errors.map((error) => [error.id, error] as const))("%s, up", (_, error) => {
    const read = fromRpcError(far, error["v0.3"]);
    expect(toRpcError(near, bridge.errorUp(read))).toEqual(error["v1.0"]);
  });

  it.each(errors.map((error) => [error.id, error] as const))("%s, down", (_, error) => {
    const read = fromRpcError(near, error["v1.0"]);
    expect(toRpcError(far, bridge.errorDown(read))).toEqual(error["v0.3"]);
  });

  const values: [name: string, data: unknown][] = [
    ["a list", [1, "a"]],
    ["a nested object", { a: { b: 1 } }],
    ["a number", 5],
    ["null", null],
  ];
  it.each(values)("%s as data is wrapped going up and comes back", (_, data) => {
    const error = { code: -32001, message: "no", data };
    const up = toRpcError(near, bridge.errorUp(fromRpcError(far, error)));
    expect(up.data).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "TASK_NOT_FOUND",
        domain: "a2a-protocol.org",
      },
      { "@type": "type.googleapis.com/google.protobuf.Value", value: data },
    ]);
    expect(toRpcError(far, bridge.errorDown(fromRpcError(near, up)))).toEqual(error);
  });

  it("keeps message, details and cause; a reason that the other version lacks keeps its code", () => {
    const violations = [{ field: "id", pointer: "/id", description: "required" }];
    const error = new A2AError("EXTENDED_AGENT_CARD_NOT_CONFIGURED", "none", {
      metadata: { a: "1" },
      violations,
      headers: { "retry-after": "1" },
      status: 418,
      cause: "why",
    });
    const down = bridge.errorDown(error);
    expect([down.message, down.cause]).toEqual(["none", "why"]);
    expect(down).toMatchObject({
      reason: "AUTHENTICATED_EXTENDED_CARD_NOT_CONFIGURED",
      code: -32007,
      metadata: { a: "1" },
      violations,
      headers: { "retry-after": "1" },
      status: 418,
    });
    expect(bridge.errorUp(down).reason).toBe("EXTENDED_AGENT_CARD_NOT_CONFIGURED");
    expect(bridge.errorDown(new A2AError("EXTENSION_SUPPORT_REQUIRED", "x"))).toMatchObject({
      reason: "EXTENSION_SUPPORT_REQUIRED",
      code: -32008,
    });
  });

  it("errors of the binding and of this process stay what they are", () => {
    for (const reason of ["INVALID_PARAMS", "TIMEOUT", "MY_OWN"]) {
      const error = new A2AError(reason, "x");
      expect(bridge.errorUp(error)).toBe(error);
      expect(bridge.errorDown(error)).toBe(error);
    }
  });
});

describe("the members of an envelope convert by its method", () => {
  const operations: Record<string, string> = {
    "env-send-req": "sendMessage",
    "env-send-res": "sendMessage",
    "env-get-res": "getTask",
    "env-sse": "sendStreamingMessage",
    "env-push-set": "createTaskPushNotificationConfig",
    "env-push-delete-res": "deleteTaskPushNotificationConfig",
    "env-extcard-req": "getExtendedAgentCard",
  };

  it.each(envelopes.map((envelope) => [envelope.id, envelope] as const))("%s", (id, envelope) => {
    const method = bridge.byNearName.get(operations[id] ?? "");
    if (method === undefined) throw new Error(`no operation for ${id}`);
    const old = envelope["v0.3"].json;
    const now = envelope["v1.0"].json;
    if (old.method !== undefined)
      expect([method.far.jsonrpc, method.near.jsonrpc]).toEqual([old.method, now.method]);
    if ("params" in old) {
      expect(method.input.up(old.params)).toEqual(now.params);
      expect(method.input.down(now.params)).toEqual(old.params);
    }
    if ("result" in old) {
      // The result of a delete is `{}` in 1.0, for which some peers write null (decision 9).
      expect(method.output.up(old.result)).toEqual(now.result ?? {});
      expect(method.output.down(now.result)).toEqual(old.result);
    }
  });
});
