import { describe, expect, it } from "vitest";
import { readAgentCard } from "a2a-typed/client";
import { at, body, current, legacy, read, refusal, withUrl } from "./read-support.js";

describe("URLs of interfaces", () => {
  it.each([
    ["/api", "https://host.example.com/api", ["relative_url"]],
    ["rpc?x=1", "https://host.example.com/agents/a/.well-known/rpc?x=1", ["relative_url"]],
    ["../rpc", "https://host.example.com/agents/a/rpc", ["relative_url"]],
    [" https://a.example.com/x ", "https://a.example.com/x", ["blanks"]],
    ["HTTPS://A.example.com", "HTTPS://A.example.com", []],
    ["http://127.0.0.1:80/", "http://127.0.0.1:80/", ["private_url"]],
    ["http://2130706433/", "http://2130706433/", ["private_url"]],
    ["http://[::ffff:10.0.0.1]/", "http://[::ffff:10.0.0.1]/", ["private_url"]],
    ["http://169.254.169.254/", "http://169.254.169.254/", ["private_url"]],
    ["http://agent:8000/", "http://agent:8000/", ["private_url"]],
    ["http://0.0.0.0:8000/", "http://0.0.0.0:8000/", ["unroutable_url"]],
    ["https://a.example.com/v1/message:stream", "https://a.example.com/v1/message:stream", ["operation_url"]],
    ["https://a.example.com/x/agent.json", "https://a.example.com/x/agent.json", ["card_url"]],
  ])("%s", (url, wanted, problems) => {
    const result = read(withUrl(url));
    expect(result.interfaces[0]).toMatchObject({ url: wanted, usable: true });
    expect(result.card.supportedInterfaces[0]?.url).toBe(wanted);
    expect(result.problems.map(({ code }) => code)).toEqual(problems);
  });

  it.each([
    ["", "is empty"],
    [7, "expected a string, found 7"],
    ["https://{HOST}/rpc", "holds a placeholder that nobody filled in ({HOST})"],
    ["${URL}/rpc", "holds a placeholder that nobody filled in ({URL})"],
    ["https://a.example.com/%7Bid%7D", "holds a placeholder that nobody filled in (%7Bid%7D)"],
    ["ftp://a.example.com/", "is no URL of http or https"],
    ["localhost:8080/rpc", "is no URL of http or https"],
    ["agent.example.com/rpc", "is no URL of http or https"],
    ["https://a b.example.com/", "is no URL"],
    ["https://me:secret@a.example.com/", "holds credentials, which belong into headers"],
    [`${at}?x`, "is the address of the card itself"],
  ])("%j cannot be called", (url, problem) => {
    const error = refusal(withUrl(url));
    expect(error).toMatchObject({
      reason: "DECODE",
      violations: [
        { field: "supportedInterfaces[0].url", pointer: "/supportedInterfaces/0/url", description: problem },
      ],
    });
    expect(error.message).not.toContain("secret");
  });

  it("of other bindings are theirs", () => {
    const { interfaces } = read({
      ...body,
      supportedInterfaces: [
        { url: "agent.example.com:443", protocolBinding: "grpc", protocolVersion: "1.0" },
      ],
    });
    expect(interfaces[0]).toMatchObject({
      url: "agent.example.com:443",
      protocolBinding: "GRPC",
      usable: true,
    });
  });

  it("on private addresses are no news in a card from there", () => {
    const { problems } = readAgentCard(withUrl("http://127.0.0.1:8080/"), {
      url: "http://localhost:3000/c.json",
    });
    expect(problems).toEqual([]);
  });
});

describe("what is no card", () => {
  it.each([
    ["not JSON{", "is not JSON"],
    ["<html>", "is not JSON"],
    ["[]", "expected an object, found an empty list"],
    ["null", "expected an object, found null"],
    [JSON.stringify({ name: "x", url: "https://a.example.com", description: "a site" }), "skills: required"],
    [JSON.stringify({ ...legacy, url: null }), "url: expected a string, found null"],
    [JSON.stringify({ ...current, name: undefined }), "name: expected a string, found nothing"],
    [JSON.stringify({ ...current, skills: {} }), "skills: expected a list, found an object"],
    [JSON.stringify({ ...current, supportedInterfaces: [] }), "supportedInterfaces: must not be empty"],
    [
      JSON.stringify({
        ...body,
        supportedInterfaces: Array.from({ length: 20 }, (_, n) => ({ url: `{X}/${n}` })),
      }),
      "and 12 more",
    ],
  ])("%s", (text, message) => {
    const error = refusal(text);
    expect(error.reason).toBe("DECODE");
    expect(
      error.message.startsWith("https://host.example.com/agents/a/.well-known/agent-card.json is "),
    ).toBe(true);
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(800);
  });

  it("an object that is no JSON", () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    expect(() => readAgentCard(cycle)).toThrow("The document is no JSON value");
  });

  it("a card that is nested without end is refused, a huge one is read in time", () => {
    const deep = `{"x":`.repeat(200) + "1" + "}".repeat(200);
    expect(refusal(JSON.stringify(current).replace("{", `{"deep":${deep},`)).message).toContain(
      "deep: expected JSON",
    );
    const timeOf = (length: number): number => {
      const skills = Array.from({ length }, (_, n) => ({ id: String(n) }));
      const supportedInterfaces = skills.map(({ id }) => ({ url: `https://a.example.com/${id}` }));
      const started = performance.now();
      expect(read({ ...body, supportedInterfaces, skills }).problems).toHaveLength(length * 5);
      return performance.now() - started;
    };
    timeOf(500);
    const small = timeOf(1_500);
    // Sixteen times as long would be four times as long, squared.
    expect(timeOf(6_000)).toBeLessThan(11 * small);
  });

  it("members named like those of every object are members", () => {
    const text = JSON.stringify(current).replace(
      "{",
      `{"__proto__":{"polluted":1},"securitySchemes":{"__proto__":{"type":"mutualTLS"},"toString":{"type":"x"}},`,
    );
    const { card } = read(text);
    expect(Object.keys(card.securitySchemes ?? {})).toEqual(["__proto__", "toString"]);
    expect(Object.keys(card)).toContain("__proto__");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
