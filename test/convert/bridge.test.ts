import { beforeAll, describe, expect, it } from "vitest";
import { createBridge } from "../../src/convert/bridge.js";
import type { Bridge, Loss } from "../../src/convert/types.js";
import { bridgedVersions, loadBridge } from "../../src/versions/bridges.js";
import { hops, lines } from "../../src/versions/conversions.js";

const config = (fragment: string): Error =>
  expect.objectContaining({
    reason: "CONFIG",
    message: expect.stringContaining(fragment) as string,
  }) as Error;

describe("loadBridge", () => {
  it("knows the versions beside the pivot, newest first", () => {
    expect(bridgedVersions).toEqual(["0.3", "0.2"]);
  });

  it("loads a bridge once", async () => {
    const one = loadBridge("0.2");
    expect(loadBridge("0.2")).toBe(one);
    expect((await one).far.version).toBe("0.2");
  });

  it.each(["0.1", "2.0", "0.3/grpc", "0.3/proto/more", "", "constructor"])(
    "%j is refused with what there is",
    async (far) => {
      await expect(loadBridge(far)).rejects.toThrow(config("0.3, 0.2"));
    },
  );

  it("the way back to the pivot changes nothing", async () => {
    const bridge = await loadBridge("1.0");
    const task = { id: "t", status: { state: "TASK_STATE_WORKING" } };
    expect(bridge.conversion("Task").up(task)).toBe(task);
  });
});

describe("operations", () => {
  const names = (bridge: Bridge): Record<string, string> =>
    Object.fromEntries([...bridge.byNearName].map(([name, { farName }]) => [name, farName]));

  it("are those that both ends have, under their own names", async () => {
    const bridge = await loadBridge("0.3");
    expect(names(bridge)).toEqual({
      sendMessage: "sendMessage",
      sendStreamingMessage: "sendStreamingMessage",
      getTask: "getTask",
      cancelTask: "cancelTask",
      subscribeToTask: "resubscribeToTask",
      createTaskPushNotificationConfig: "setTaskPushNotificationConfig",
      getTaskPushNotificationConfig: "getTaskPushNotificationConfig",
      listTaskPushNotificationConfigs: "listTaskPushNotificationConfig",
      deleteTaskPushNotificationConfig: "deleteTaskPushNotificationConfig",
      getExtendedAgentCard: "getAuthenticatedExtendedCard",
    });
    const { getExtendedAgentCard: _, ...others } = names(bridge);
    expect(names(await loadBridge("0.2"))).toEqual(others);
    for (const [farName, method] of bridge.byFarName) {
      expect(method.far).toBe(bridge.far.methods[farName]);
      expect(method.near).toBe(bridge.near.methods[method.nearName]);
    }
  });
});

describe("conversions of a bridge", () => {
  let bridge: Bridge;
  beforeAll(async () => {
    bridge = await loadBridge("0.2");
  });

  it("share what is equal and change nothing that was given", () => {
    const metadata = { deep: { a: [1] } };
    const task = Object.freeze({
      id: "t",
      contextId: "c",
      status: Object.freeze({ state: "TASK_STATE_WORKING" }),
      metadata,
      artifacts: Object.freeze([
        Object.freeze({ artifactId: "a", parts: Object.freeze([Object.freeze({ text: "x", metadata })]) }),
      ]),
    });
    const down = bridge.conversion("Task").down(task) as {
      metadata: unknown;
      artifacts: { parts: { metadata: unknown }[] }[];
    };
    expect(down.metadata).toBe(metadata);
    expect(down.artifacts[0]?.parts[0]?.metadata).toBe(metadata);
  });

  it("report to the list that is given, and need none", () => {
    const losses: Loss[] = [{ path: "/mine", code: "dropped" }];
    const event = { statusUpdate: { taskId: "t", contextId: "", status: { state: "TASK_STATE_ODD" } } };
    const { down } = bridge.conversion("StreamResponse");
    expect(down(event, {}, losses)).toMatchObject({ status: { state: "unknown" } });
    expect(losses).toEqual([
      { path: "/mine", code: "dropped" },
      { path: "/statusUpdate/status/state", code: "dropped" },
    ]);
    expect(down(event)).toMatchObject({ kind: "status-update" });
  });

  it("take options", () => {
    const event = { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
    expect(bridge.conversion("TaskStatusUpdateEvent").down(event, { endOfStream: true })).toMatchObject({
      final: true,
    });
  });

  it("refuse what a caller sends, and blame the agent for what it says", () => {
    const method = bridge.byNearName.get("sendMessage");
    const empty = { kind: "message", role: "user", messageId: "m", parts: [] };
    expect(() => method?.input.up({ message: empty })).toThrow(
      expect.objectContaining({
        reason: "INVALID_PARAMS",
        violations: [expect.objectContaining({ pointer: "/message/parts" })],
      }) as Error,
    );
    expect(method?.output.up(empty)).toEqual({ message: { role: "ROLE_USER", messageId: "m", parts: [] } });
    const nobody = { message: { role: "ROLE_UNSPECIFIED", messageId: "m", parts: [{ text: "" }] } };
    expect(() => method?.output.down(nobody)).toThrow(
      expect.objectContaining({
        reason: "INVALID_AGENT_RESPONSE",
        violations: [expect.objectContaining({ pointer: "/message/role" })],
      }) as Error,
    );
  });

  it("name what a later hop refuses as the value given does, in the message too", async () => {
    const form = await loadBridge("0.3/proto");
    const message = { messageId: "m", role: "ROLE_USER", content: [] };
    expect(() => form.byNearName.get("sendMessage")?.input.up({ message })).toThrow(
      expect.objectContaining({
        message: "message.content: must not be empty",
        violations: [
          { field: "message.content", pointer: "/message/content", description: "must not be empty" },
        ],
      }) as Error,
    );
  });

  it("keep the ids of a resource name apart, also where one looks like another in its name", async () => {
    const form = await loadBridge("0.3/proto");
    const get = form.byNearName.get("getTaskPushNotificationConfig")?.input;
    for (const id of ["/", "%2F", "%252F", "%2f", "%25", "100%"]) {
      const down = get?.down({ taskId: "t", id });
      expect(get?.up(down)).toEqual({ taskId: "t", id });
    }
  });

  it("of a type that does not convert there are none", () => {
    expect(() => bridge.conversion("ListTasksRequest")).toThrow(config("ListTasksRequest"));
    expect(() => bridge.conversion("toString")).toThrow(config("toString"));
  });
});

describe("createBridge", () => {
  const service = (version: string) => {
    const line = lines[version];
    if (line === undefined) throw new Error(version);
    return line.service;
  };

  it("leads from any version to any other, whichever is the newer", () => {
    const ends = { near: service("0.2"), far: service("1.0") };
    const bridge = createBridge([...hops].reverse(), ends);
    const status = { state: "input-required" };
    expect(bridge.conversion("TaskStatus").down(status)).toEqual({ state: "TASK_STATE_INPUT_REQUIRED" });
    expect(bridge.byFarName.get("subscribeToTask")?.nearName).toBe("resubscribeToTask");
  });

  it("needs hops that lead there", () => {
    expect(() => createBridge(hops.slice(0, 1), { near: service("1.0"), far: service("0.2") })).toThrow(
      config("no conversion between A2A 1.0 and 0.2"),
    );
  });
});
