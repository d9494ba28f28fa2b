/** Errors: every failure has its own, in the form of the binding, with what the caller needs and nothing else. */
import { describe, expect, it } from "vitest";
import { A2AError, isA2AError } from "../../src/errors.js";
import { createClient, httpJson, jsonRpc } from "../../src/index.js";
import { pivot, textOf as pivotText, userMessage } from "../../src/versions/pivot.js";
import { agentOf, skill } from "../server/agents.js";
import {
  bindings,
  errorOf,
  fieldsOf,
  host,
  reasonOf,
  say,
  type Answer,
  type Host,
  type Json,
} from "./support.js";

const REQUIRED = "https://example.com/extensions/needed/v1";
const cardOf = (capabilities: object) => ({ name: "T", description: "d", skills: [skill], capabilities });

/** Pauses at `ask`, throws what its text names elsewhere; answers without a task. */
const failing = agentOf(
  async (_ctx, message) => {
    const text = pivotText(message);
    if (text === "busy") {
      throw new A2AError("UNAVAILABLE", "The model is away; try again in 7 seconds", {
        headers: { "retry-after": "7" },
      });
    }
    if (text === "bug") throw new Error("postgres://secret@db");
    if (text === "nothing") return undefined;
    if (text === "own") throw new A2AError("QUOTA_USED_UP", "No words left", { metadata: { used: "100" } });
    return text;
  },
  { replies: "message" },
);

/** A failure of each kind. */
async function failures(on: Host, agent: Host): Promise<Record<string, Answer>> {
  const { id } = await on.send("x");
  return {
    TASK_NOT_FOUND: await on.call("GetTask", { id: "nope" }),
    TASK_NOT_CANCELABLE: await on.call("CancelTask", { id }),
    PUSH_NOTIFICATION_NOT_SUPPORTED: await on.call("ListTaskPushNotificationConfigs", { taskId: id }),
    UNSUPPORTED_OPERATION: await on.call("SendMessage", say("x", { taskId: id })),
    CONTENT_TYPE_NOT_SUPPORTED: await on.call(
      "SendMessage",
      say("x", { parts: [{ text: "x", mediaType: "image/png" }] }),
    ),
    VERSION_NOT_SUPPORTED: await on.call("GetTask", { id }, { "a2a-version": "99.0" }),
    INVALID_PARAMS: await on.call("ListTasks", { pageSize: 0 }),
    INVALID_AGENT_RESPONSE: await agent.call("SendMessage", say("nothing")),
    INTERNAL_ERROR: await agent.call("SendMessage", say("bug")),
  };
}

describe.each(bindings)("over %s", (binding) => {
  it("each failure has its error: a code, words that help, details with a type (A2A-3.3.2-a, A2A-3.3.2-b, A2A-3.3.2-o, A2A-3.3.2-p, A2A-3.3.2-q)", async () => {
    await using on = await host(
      binding,
      agentOf(async () => "x"),
    );
    await using agent = await host(binding, failing);
    const found = await failures(on, agent);
    for (const [name, answer] of Object.entries(found)) {
      expect(reasonOf(answer), name).toBe(name);
      const { message, details } = errorOf(answer);
      expect(message.length, name).toBeGreaterThan(8);
      for (const detail of details) {
        expect(detail["@type"]).toMatch(/^type\.googleapis\.com\/google\.rpc\.(ErrorInfo|BadRequest)$/);
        for (const value of Object.values(detail.metadata ?? {})) expect(typeof value).toBe("string");
      }
    }
    // The cause by its name.
    const saying = (name: string): string => errorOf(found[name] as Answer).message;
    expect(saying("TASK_NOT_FOUND")).toContain("nope");
    expect(saying("TASK_NOT_CANCELABLE")).toContain("completed");
    expect(saying("CONTENT_TYPE_NOT_SUPPORTED")).toMatch(/image\/png.*text\/plain/);
    expect(saying("VERSION_NOT_SUPPORTED")).toMatch(/99\.0.*1\.0/s);
    expect(saying("INVALID_PARAMS")).toMatch(/pageSize.*1 and 100.*0/);
  });

  it("a refused parameter is named with its cause and what would do (A2A-3.3.2-i)", async () => {
    await using on = await host(
      binding,
      agentOf(async () => "x"),
    );
    const refused = await on.call("SendMessage", {
      message: { role: "ROLE_PILOT", parts: [{ text: "x" }], messageId: "m" },
    });
    expect(fieldsOf(refused)).toEqual(["message.role"]);
    const violations: Json[] = errorOf(refused).details.flatMap((detail) => detail.fieldViolations ?? []);
    expect(violations[0].description).toMatch(/ROLE_USER/);
  });

  it("an error of either binding is the same error for our clients (A2A-3.3.2-r)", async () => {
    await using on = await host(binding, failing);
    const transport = binding === "JSONRPC" ? jsonRpc({ url: on.url }) : httpJson({ url: on.url });
    await using client = createClient(pivot, transport);
    const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);
    const own = await caught(client.sendMessage({ message: userMessage("own") }));
    expect(isA2AError(own)).toBe(true);
    expect(own).toMatchObject({
      reason: "QUOTA_USED_UP",
      message: "No words left",
      metadata: { used: "100" },
    });
    expect(await caught(client.getTask({ id: "nope" }))).toMatchObject({
      reason: "TASK_NOT_FOUND",
      code: -32001,
      message: expect.stringContaining("nope") as string,
      metadata: { taskId: "nope" },
    });
    expect(await caught(client.listTasks({ pageSize: 101 }))).toMatchObject({
      reason: "INVALID_PARAMS",
      violations: [{ field: "pageSize" }],
    });
  });

  it("what passes is told from what does not, with the time to come back (A2A-3.3.2-l, A2A-3.3.2-m)", async () => {
    await using on = await host(binding, failing);
    const busy = await on.call("SendMessage", say("busy"));
    const bug = await on.call("SendMessage", say("bug"));
    expect(busy.headers.get("retry-after")).toBe("7");
    expect(bug.headers.get("retry-after")).toBeNull();
    expect(errorOf(busy).message).toBe("The model is away; try again in 7 seconds");
    if (binding === "HTTP+JSON") {
      expect([busy.status, busy.json.error.status]).toEqual([503, "UNAVAILABLE"]);
      expect([bug.status, bug.json.error.status]).toEqual([500, "INTERNAL"]);
    } else {
      // Both are -32603 by the table; the words and the header tell them apart.
      expect([busy.json.error.code, bug.json.error.code]).toEqual([-32603, -32603]);
      expect(errorOf(bug).message).toBe("Internal error");
    }
  });

  it("what breaks inside is logged with its cause, and nothing of it gets out (A2A-3.3.2-n)", async () => {
    const lines: unknown[][] = [];
    const note = (...line: unknown[]): void => void lines.push(line);
    const logger = { debug: note, info: note, warn: note, error: note };
    await using on = await host(binding, failing, { logger });
    const bug = await on.call("SendMessage", say("bug"));
    expect(reasonOf(bug)).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(bug.json)).not.toContain("secret");
    expect(lines.flat().some((part) => String((part as Error | undefined)?.message).includes("secret"))).toBe(
      true,
    );
    // A refusal is no failure of the system.
    const before = lines.length;
    await on.call("GetTask", { id: "nope" });
    expect(lines).toHaveLength(before);
  });

  it("what the card does not declare has its error (A2A-3.3.4-a, A2A-3.3.4-b, A2A-3.3.4-c, A2A-3.3.4-d)", async () => {
    await using off = await host(
      binding,
      agentOf(async (ctx) => ctx.inputRequired("?"), { card: cardOf({ streaming: false }) }),
    );
    const { id } = await off.send("x");
    const config = { taskId: id, id: "c" };
    const matrix: [string, Json, string][] = [
      [
        "CreateTaskPushNotificationConfig",
        { ...config, url: "https://example.com/hook" },
        "PUSH_NOTIFICATION_NOT_SUPPORTED",
      ],
      ["GetTaskPushNotificationConfig", config, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["ListTaskPushNotificationConfigs", { taskId: id }, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["DeleteTaskPushNotificationConfig", config, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["SendStreamingMessage", say("x"), "UNSUPPORTED_OPERATION"],
      ["SubscribeToTask", { id }, "UNSUPPORTED_OPERATION"],
      ["GetExtendedAgentCard", {}, "UNSUPPORTED_OPERATION"],
    ];
    for (const [name, input, reason] of matrix)
      expect([name, reasonOf(await off.call(name, input))]).toEqual([name, reason]);
    const promised = agentOf(async () => "x", { card: cardOf({ extendedAgentCard: true }) });
    await using none = await host(binding, promised, { allowPublicExtendedCard: true });
    expect(reasonOf(await none.call("GetExtendedAgentCard"))).toBe("EXTENDED_AGENT_CARD_NOT_CONFIGURED");
  });

  it("a required extension must be asked for, by every operation (A2A-3.3.4-e)", async () => {
    const card = cardOf({
      streaming: true,
      extensions: [{ uri: REQUIRED, required: true }, { uri: "https://e/other" }],
    });
    await using on = await host(
      binding,
      agentOf(async (ctx) => ctx.inputRequired("?"), { card }),
    );
    const asking = { "a2a-extensions": `https://e/other, ${REQUIRED}` };
    const { task } = await on.ok("SendMessage", say("x"), asking);
    const calls: [string, Json][] = [
      ["SendMessage", say("x")],
      ["SendStreamingMessage", say("x")],
      ["GetTask", { id: task.id }],
      ["ListTasks", {}],
      ["SubscribeToTask", { id: task.id }],
      ["CancelTask", { id: task.id }],
    ];
    for (const [name, input] of calls) {
      const strange: Record<string, string> = { "a2a-extensions": REQUIRED.toUpperCase() };
      for (const headers of [{}, strange]) {
        const refused = await on.call(name, input, headers);
        expect([name, reasonOf(refused)]).toEqual([name, "EXTENSION_SUPPORT_REQUIRED"]);
        expect(errorOf(refused).message).toContain(REQUIRED);
      }
    }
    expect((await on.ok("GetTask", { id: task.id }, asking)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});
