import { describe, expect, expectTypeOf, it } from "vitest";
import * as v03 from "../../generated/v0.3/index.js";
import * as v1 from "../../generated/v1.0/index.js";

describe("helpers of 1.0", () => {
  it("make messages of a text, a part or parts, each with an id of its own", () => {
    const one = v1.userMessage("hello", { contextId: "c1" });
    expect(one).toEqual({
      messageId: one.messageId,
      role: "ROLE_USER",
      parts: [{ text: "hello" }],
      contextId: "c1",
    });
    expect(one.messageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(v1.userMessage("hello").messageId).not.toBe(one.messageId);
    expect(v1.agentMessage(v1.data(null)).parts).toEqual([{ data: null }]);
    expect(v1.agentMessage([v1.text("a"), v1.text("b")]).parts).toHaveLength(2);
    expect(v1.userMessage("hi", { messageId: "m1" }).messageId).toBe("m1");
  });

  it("make file parts of bytes, base64 and URLs", () => {
    const bytes = new Uint8Array(100_000).fill(255);
    const { raw } = v1.file({ bytes }, { mediaType: "image/png", filename: "a.png" });
    expect(raw && Buffer.from(raw, "base64").equals(Buffer.from(bytes))).toBe(true);
    expect(v1.file({ bytes: "aGk=" })).toEqual({ raw: "aGk=" });
    expect(v1.file({ url: "https://example.com/a" })).toEqual({ url: "https://example.com/a" });
  });

  it("read the text of whatever came", () => {
    const message = v1.agentMessage([v1.text("a"), v1.data(1), v1.text("b")]);
    const status = { state: v1.TaskState.COMPLETED, message };
    const artifact = { artifactId: "x", parts: [v1.text("c")] };
    expect(v1.textOf(message)).toBe("ab");
    expect(v1.textOf({ message })).toBe("ab");
    expect(v1.textOf({ task: { id: "t", status } })).toBe("ab");
    expect(v1.textOf({ task: { id: "t", status, artifacts: [artifact, artifact] } })).toBe("c\nc");
    expect(v1.textOf({ statusUpdate: { taskId: "t", contextId: "c", status } })).toBe("ab");
    expect(v1.textOf({ artifactUpdate: { taskId: "t", contextId: "c", artifact } })).toBe("c");
    expect(v1.textOf(v1.data({}))).toBe("");
    expect(v1.textOf(undefined)).toBe("");
  });

  it("name the member that is set", () => {
    expect(v1.caseOf(v1.text("a"))).toBe("text");
    expect(v1.caseOf(v1.data(null))).toBe("data");
    const event: v1.StreamResponse = { message: v1.agentMessage("a") };
    expect(v1.caseOf(event)).toBe("message");
    expect(() => v1.caseOf({} as v1.Part)).toThrow(TypeError);
    expectTypeOf(v1.caseOf(v1.text("a"))).toEqualTypeOf<"text" | "raw" | "url" | "data">();
    const reply = { message: v1.agentMessage("a") } as v1.SendMessageResponse;
    expectTypeOf(v1.caseOf(reply)).toEqualTypeOf<"task" | "message">();
  });

  it("sort states into ended, waiting and running", () => {
    const all = Object.values(v1.TaskState);
    expect(all.filter(v1.isTerminal)).toEqual([
      "TASK_STATE_COMPLETED",
      "TASK_STATE_FAILED",
      "TASK_STATE_CANCELED",
      "TASK_STATE_REJECTED",
    ]);
    expect(all.filter(v1.isInterrupted)).toEqual(["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"]);
  });
});

describe("helpers of 0.3, by the same names", () => {
  it("make messages and parts with their kind", () => {
    const message = v03.userMessage([
      v03.text("a"),
      v03.data({ b: 1 }),
      v03.file({ url: "https://e.com" }, { mediaType: "a/b", filename: "f" }),
    ]);
    expect(message).toEqual({
      kind: "message",
      messageId: message.messageId,
      role: "user",
      parts: [
        { kind: "text", text: "a" },
        { kind: "data", data: { b: 1 } },
        { kind: "file", file: { uri: "https://e.com", mimeType: "a/b", name: "f" } },
      ],
    });
    expect(v03.file({ bytes: new Uint8Array([104, 105]) })).toEqual({
      kind: "file",
      file: { bytes: "aGk=" },
    });
  });

  it("read text, kind and state", () => {
    const message = v03.agentMessage("a");
    const status = { state: v03.TaskState.INPUT_REQUIRED, message };
    expect(v03.textOf({ kind: "task", id: "t", contextId: "c", status })).toBe("a");
    expect(v03.textOf({ kind: "status-update", taskId: "t", contextId: "c", final: false, status })).toBe(
      "a",
    );
    const artifact = { artifactId: "x", parts: [v03.text("b")] };
    expect(v03.textOf({ kind: "artifact-update", taskId: "t", contextId: "c", artifact })).toBe("b");
    expect(v03.caseOf(message)).toBe("message");
    expect(v03.isInterrupted(status.state)).toBe(true);
    expect(v03.isTerminal("canceled")).toBe(true);
  });
});
