import { describe, expect, it } from "vitest";
import * as json from "../../generated/v0.3/tables.js";
import * as form from "../../generated/v0.3/proto/tables.js";
import { misfits } from "../../src/codec/misfits.js";
import type { Rule } from "../../src/descriptor.js";

const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] };
const proto = { messageId: "m", role: "ROLE_USER", content: [{ text: "x" }] };

describe("misfits", () => {
  it.each<[string, Rule, unknown, number]>([
    ["a value of the table", json.Message, message, 0],
    ["the same in other names", form.Message, { message_id: "m", role: 1, content: [{ text: "" }] }, 0],
    ["nothing", form.Message, undefined, 0],
    ["null", form.Message, null, 0],
    ["an unknown member", form.Message, { ...proto, x: 1 }, 1],
    ["an unknown name", form.Message, { ...proto, role: "user" }, 1],
    ["members further in", form.Message, { ...proto, content: [{ text: "x", a: 1 }, { b: 1 }] }, 2],
    ["no object", form.Message, "text", 1],
    ["no list", form.Message, { content: {} }, 1],
    ["no text", form.Message, { messageId: 1 }, 1],
    ["another constant", json.Message, { ...message, kind: "task" }, 1],
    ["a union without its tag", json.SendMessageResult, { a: 1, b: 2 }, 2],
    ["an empty union", json.SendMessageResult, {}, 1],
    ["a union of another kind", json.FilePart, { kind: "file", file: { bytes: "" } }, 0],
    ["a choice of nothing", json.FilePart, { kind: "file", file: { x: 1 } }, 1],
    ["a map", json.AgentCard, { security: [{ a: ["b"] }] }, 0],
    ["a map of something else", json.AgentCard, { security: [{ schemes: { a: { list: [] } } }] }, 1],
  ])("%s", (_, rule, value, count) => {
    expect(misfits(rule, value)).toBe(count);
  });

  it("looks at the first elements and levels only", () => {
    const odd = { text: "x", odd: 1 };
    expect(misfits(form.Message, { content: Array(100).fill(odd) })).toBe(3);
    let deep: unknown = "x";
    for (let i = 0; i < 10_000; i++) deep = { content: [{ data: { data: deep } }] };
    expect(misfits(form.Message, deep)).toBe(0);
  });

  it.each([
    ["JSON", message],
    ["ProtoJSON", proto],
  ])("tells %s from the other shape", (shape, value) => {
    const [own, other] = [misfits(json.Message, value), misfits(form.Message, value)];
    expect(Math.sign(own - other)).toBe(shape === "JSON" ? -1 : 1);
  });
});
