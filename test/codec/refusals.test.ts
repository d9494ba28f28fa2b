import { describe, expect, it } from "vitest";
import { check } from "../../src/codec/check.js";
import { decode, type Problem } from "../../src/codec/decode.js";
import { tolerant } from "../../src/codec/tolerant.js";
import type { Rule, Table } from "../../src/descriptor.js";
import { SendMessageRequest, StreamResponse, Task } from "../../generated/v1.0/tables.js";
import { errorOf, reply, request, violations } from "./support.js";

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] };
const status = { state: "TASK_STATE_WORKING" };

describe("what a refusal says", () => {
  it("a request: INVALID_PARAMS, -32602, field, pointer, expected, found", () => {
    const error = errorOf(() =>
      request(SendMessageRequest, { message: { ...message, parts: [{ text: 1 }] } }),
    );
    expect(error.reason).toBe("INVALID_PARAMS");
    expect(error.code).toBe(-32602);
    expect(error.message).toBe("message.parts[0].text: expected a string, found a number");
    expect(error.violations).toEqual([
      {
        field: "message.parts[0].text",
        pointer: "/message/parts/0/text",
        description: "expected a string, found a number",
      },
    ]);
  });

  it("a reply: DECODE with violations", () => {
    const error = errorOf(() => reply(Task, { id: "t", status: {} }));
    expect(error.reason).toBe("DECODE");
    expect(error.code).toBeUndefined();
    expect(error.violations).toEqual([
      { field: "status.state", pointer: "/status/state", description: "required, found nothing" },
    ]);
  });

  it("several missing members are joined in the message", () => {
    expect(errorOf(() => request(SendMessageRequest, { message: { parts: [{ text: "x" }] } })).message).toBe(
      "message.messageId: required, found nothing; message.role: required, found nothing",
    );
  });

  it("a root that is nothing at all", () => {
    for (const [value, found] of [
      [undefined, "nothing"],
      [null, "null"],
      ["", "an empty string"],
      [[], "an empty list"],
      [[1], "a list"],
      [true, "a boolean"],
    ]) {
      expect(errorOf(() => request(SendMessageRequest, value)).message).toBe(
        `expected an object, found ${String(found)}`,
      );
    }
  });

  it("the prefix of the caller stands before the fields, not in the pointer", () => {
    const options = { direction: "request", root: "params" } as const;
    const error = errorOf(() => decode(SendMessageRequest, { message: 1 }, options));
    expect(error.message).toBe("params.message: expected an object, found a number");
    expect(error.violations?.[0]?.pointer).toBe("/message");
    expect(errorOf(() => decode(SendMessageRequest, 1, options)).message).toBe(
      "params: expected an object, found a number",
    );
  });

  it("no more than 40 characters of a value, none of it where the kind is wrong", () => {
    const long = "s3cret".repeat(1000);
    const role = errorOf(() => request(SendMessageRequest, { message: { ...message, role: long } })).message;
    expect(role).toContain('found "s3crets3cret');
    expect(role.length).toBeLessThan(160);
    const raw = errorOf(() =>
      request(SendMessageRequest, { message: { ...message, parts: [{ raw: `${long}*` }] } }),
    );
    expect(raw.message).toBe("message.parts[0].raw: expected a base64 string, found other text");
    expect(errorOf(() => request(SendMessageRequest, long)).message).toBe(
      "expected an object, found a string",
    );
  });

  it("pointers are escaped, odd names are quoted and cut", () => {
    const Map: Table<unknown> = { is: "map", of: { is: "map", of: { is: "int32" } } };
    const at = (key: string) => errorOf(() => request(Map, { [key]: { n: "x" } })).violations?.[0];
    expect(at("a/b~c")).toMatchObject({ field: '["a/b~c"].n', pointer: "/a~1b~0c/n" });
    expect(at("k".repeat(5000))?.field).toHaveLength("[].n".length + 42);
    expect(at("plain-name")?.field).toBe("plain-name.n");
  });

  it("the pointer names the spelling that was sent", () => {
    const error = errorOf(() => request(SendMessageRequest, { message: { ...message, context_id: 5 } }));
    expect(error.violations?.[0]).toMatchObject({
      field: "message.context_id",
      pointer: "/message/context_id",
    });
  });
});

describe("replies that are not one payload (decision 15)", () => {
  it("none and two are INVALID_AGENT_RESPONSE (A2A-3.2.3-a)", () => {
    for (const value of [{}, { task: null }, { task: { id: "t", status }, message }]) {
      const error = errorOf(() => reply(StreamResponse, value));
      expect(error.reason).toBe("INVALID_AGENT_RESPONSE");
      expect(error.code).toBe(-32006);
      expect(error.data).toBeUndefined();
    }
  });

  it("only unknown members: their names are in data", () => {
    const error = errorOf(() => reply(StreamResponse, { heartbeat: {}, "x-y": 1 }));
    expect(error.reason).toBe("INVALID_AGENT_RESPONSE");
    expect(error.data).toEqual({ unknownOnly: ["heartbeat", "x-y"] });
  });

  it("an unknown member beside a known one is kept", () => {
    const value = { message, heartbeat: {} };
    expect(reply(StreamResponse, value)).toBe(value);
  });

  it("deeper, or in a request, it is an ordinary refusal", () => {
    expect(errorOf(() => reply(StreamResponse, { message: { ...message, parts: [{}] } })).reason).toBe(
      "DECODE",
    );
    expect(errorOf(() => request(StreamResponse, {})).reason).toBe("INVALID_PARAMS");
  });
});

describe("hostile values", () => {
  const parsed = (text: string): unknown => JSON.parse(text);

  it("names of the prototype are names like any other", () => {
    const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "prototype"];
    for (const name of names) {
      const inside = `{${JSON.stringify(name)}:{"polluted":true}}`;
      const value = parsed(
        `{"message":{"messageId":"m","role":1,"parts":[{"data":${inside},"metadata":${inside}}],"metadata":${inside},${JSON.stringify(name)}:{"polluted":1}},${JSON.stringify(name)}:5}`,
      );
      const read = request(SendMessageRequest, value) as { message: { metadata: object } };
      expect(Object.keys(read)).toEqual(["message"]);
      expect(Object.hasOwn(read.message, name)).toBe(false);
      expect(Object.hasOwn(read.message.metadata, name)).toBe(true);
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(Object.getPrototypeOf(read.message)).toBe(Object.prototype);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("they are kept as own members in copies of replies and maps (A2A-PJ-m)", () => {
    const copied = reply(Task, parsed('{"id":"t","status":{"state":2},"__proto__":{"a":1}}')) as object;
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(copied, "__proto__")?.value).toEqual({ a: 1 });
    const Numbers: Table<unknown> = { is: "map", of: { is: "int32" } };
    const map = request(Numbers, parsed('{"__proto__":"1","constructor":"2","a":3}')) as object;
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    expect(JSON.stringify(map)).toBe('{"__proto__":1,"constructor":2,"a":3}');
  });

  it("a REQUIRED member named like one of the prototype", () => {
    const Odd: Table<unknown> = {
      is: "object",
      fields: { ["toString" as string]: { is: "string" } },
      required: ["toString"],
    };
    expect(violations(Odd, {})).toEqual(["toString: required, found nothing"]);
  });

  it("100 levels are read, 101 are not, wherever they are", () => {
    const nested = (levels: number, leaf = ""): unknown =>
      parsed("[".repeat(levels) + leaf + "]".repeat(levels));
    const inData = (levels: number) => ({ message: { ...message, parts: [{ data: nested(levels) }] } });
    // Root, message, parts and the part are the first four levels.
    expect(request(SendMessageRequest, inData(96))).toEqual(inData(96));
    expect(violations(SendMessageRequest, inData(97))).toEqual([
      "message.parts[0].data: expected JSON with finite numbers and at most 100 levels",
    ]);
    expect(violations(SendMessageRequest, inData(100_000))).toHaveLength(1);
    expect(errorOf(() => reply(Task, { id: "t", status, vendor: nested(100_000) })).reason).toBe("DECODE");
    const loop: { is: "list"; of: Rule } = { is: "list", of: { is: "null" } };
    loop.of = loop;
    expect(request(loop, nested(100))).toEqual(nested(100));
    expect(violations(loop, nested(101))[0]).toContain("nested deeper than 100 levels");
    expect(violations(loop, nested(100_000))).toHaveLength(1);
  });

  it("long lists are only long", () => {
    const parts = Array.from({ length: 200_000 }, () => ({ text: "x" }));
    const value = { message: { ...message, parts } };
    expect(request(SendMessageRequest, value)).toBe(value);
    const data = { message: { ...message, parts: [{ data: Array.from({ length: 500_000 }, (_, n) => n) }] } };
    expect(request(SendMessageRequest, data)).toBe(data);
  });

  it("lone surrogates are text, and show escaped in errors (A2A-PJ-n)", () => {
    const value = { message: { ...message, messageId: "\ud800", parts: [{ text: "\udfff" }] } };
    expect(request(SendMessageRequest, value)).toBe(value);
    expect(
      errorOf(() => request(SendMessageRequest, { message: { ...message, role: "\ud800" } })).message,
    ).toContain(String.raw`found "\ud800"`);
    expect(
      errorOf(() => request(SendMessageRequest, { message: { ...message, role: `${"x".repeat(38)}😀😀` } }))
        .message,
    ).toContain("xxx");
  });
});

describe("check", () => {
  it("gives the value, or the violations", () => {
    expect(check(SendMessageRequest, { message }, { direction: "request" })).toEqual({ value: { message } });
    expect(check(SendMessageRequest, {}, { direction: "request" })).toEqual({
      violations: [{ field: "message", pointer: "/message", description: "required, found nothing" }],
    });
    expect(check(StreamResponse, {}, { direction: "reply" })).toHaveProperty("violations");
  });
});

describe("problems", () => {
  it("say where, what kind, and what was made of it", () => {
    const problems: Problem[] = [];
    decode(
      Task,
      { id: "t", status: { state: "completed", timestamp: "2025-01-01T00:00:00" } },
      { direction: "reply", mode: tolerant, problems },
    );
    expect(problems).toEqual([
      {
        pointer: "/status/state",
        code: "legacy_value",
        message: "legacy value, read as TASK_STATE_COMPLETED",
      },
      { pointer: "/status/timestamp", code: "missing_zone", message: "missing zone, read as UTC" },
    ]);
  });

  it("name unknown fields that a request lost, in strict mode too", () => {
    const problems: Problem[] = [];
    decode(SendMessageRequest, { message, cursor: "abc" }, { direction: "request", problems });
    expect(problems).toEqual([
      { pointer: "/cursor", code: "unknown_field", message: "unknown field, dropped" },
    ]);
  });
});
