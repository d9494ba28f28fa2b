import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentCardTable } from "../../src/versions/pivot.js";
import type { ObjectRule, Rule } from "../../src/descriptor.js";
import { canonicalCard } from "../../src/card/canonical-card.js";
import { canonicalForm } from "../../src/card/canonical-form.js";
import { explicitMembers } from "../../src/versions/pivot.js";

const canonical = (card: object): unknown => JSON.parse(canonicalCard(card));

describe("the canonical form of a card", () => {
  it("of the specification's sample is its text (A2A-8.4.1-e)", () => {
    expect(
      canonicalCard({
        name: "Example Agent",
        description: "",
        capabilities: { streaming: false, pushNotifications: false, extensions: [] },
        skills: [],
      }),
    ).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it("has the order, numbers and texts of RFC 8785 (A2A-8.4.1-a, A2A-8.4.1-e)", () => {
    // The sample of RFC 8785 3.2.2 and 3.2.3, as a member that the schema does not know.
    const sample = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalCard({ "x-sample": sample })).toBe(
      '{"x-sample":{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}}',
    );
    expect(
      canonicalCard({ "\ufb33": 1, "\ud83d\ude00": 2, "1": 3, "\r": 4, "\u0080": 5, ö: 6, "€": 7 }),
    ).toBe('{"\\r":4,"1":3,"\u0080":5,"ö":6,"€":7,"\ud83d\ude00":2,"\ufb33":1}');
  });

  it("leaves out the default of every kind of member that a later schema may have (A2A-8.4.1-b)", () => {
    const kinds = {
      text: [{ is: "string" }, "", "x"],
      bytes: [{ is: "bytes" }, "", "eA=="],
      flag: [{ is: "boolean" }, false, true],
      short: [{ is: "int32" }, 0, 1],
      whole: [{ is: "integer" }, 0, -1],
      real: [{ is: "number" }, 0, 0.5],
      long: [{ is: "int64" }, "0", "1"],
      longAsNumber: [{ is: "int64" }, 0, 1],
      name: [{ is: "enum", values: ["UNSPECIFIED", "ON"] }, "UNSPECIFIED", "ON"],
      nameAsNumber: [{ is: "enum", values: ["UNSPECIFIED", "ON"] }, 0, 1],
      list: [{ is: "list", of: { is: "string" } }, [], [""]],
      map: [{ is: "map", of: { is: "string" } }, {}, { a: "" }],
    } satisfies Record<string, [Rule, unknown, unknown]>;
    const table: Rule = {
      is: "object",
      fields: Object.fromEntries(Object.entries(kinds).map(([name, [rule]]) => [name, rule])),
    };
    const having = (at: 1 | 2) =>
      Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind[at]]));
    expect(canonicalForm(table, having(1), "kept")).toEqual({});
    expect(canonicalForm(table, having(2), "kept")).toEqual(having(2));
  });

  it("leaves out optional members that are not set, and keeps those that are (A2A-5.7-e, A2A-8.4.1-b)", () => {
    const card = {
      capabilities: { streaming: false, pushNotifications: undefined },
      iconUrl: "",
      documentationUrl: null,
    };
    expect(canonical(card)).toEqual({ capabilities: { streaming: false }, iconUrl: "" });
  });

  it("keeps REQUIRED members that are empty (A2A-8.4.1-c)", () => {
    const card = {
      description: "",
      skills: [],
      supportedInterfaces: [],
      capabilities: {},
      provider: { url: "", organization: "" },
    };
    expect(canonical(card)).toEqual(card);
  });

  it("drops other defaults at every level (A2A-8.4.1-d)", () => {
    const interfaces = [{ url: "u", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" }];
    expect(
      canonical({
        name: "A",
        supportedInterfaces: interfaces,
        securitySchemes: {
          a: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "", description: "" } },
        },
        securityRequirements: [{ schemes: { a: { list: [] } } }, { schemes: {} }],
        capabilities: { extensions: [{ uri: "x", description: "", required: false, params: {} }] },
        skills: [{ id: "s", name: "", description: "", tags: [], examples: [], inputModes: [] }],
        provider: {},
      }),
    ).toEqual({
      name: "A",
      supportedInterfaces: [{ url: "u", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      securitySchemes: { a: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { a: {} } }, {}],
      capabilities: { extensions: [{ uri: "x", params: {} }] },
      skills: [{ id: "s", name: "", description: "", tags: [] }],
      provider: {},
    });
    expect(canonical({ securitySchemes: {}, securityRequirements: [] })).toEqual({});
  });

  it("treats every member of every message by what the schema says of it (A2A-8.4.1-b, A2A-8.4.1-c, A2A-8.4.1-d)", () => {
    const seen: string[] = [];
    visitMembers(agentCardTable, (path, rule, owner, wrap) => {
      const empty = EMPTY[rule.is];
      const name = path[path.length - 1] ?? "";
      if (empty === undefined || path[0] === "signatures") return;
      const kept = (owner.required ?? []).includes(name) || (explicitMembers.get(owner) ?? []).includes(name);
      seen.push(`${path.join(".")} ${kept ? "kept" : "dropped"}`);
      expect(canonicalCard(wrap(empty)), path.join(".")).toBe(
        canonicalCard(kept ? { "x-kept": wrap(empty) } : wrap(undefined)).replace(
          /^\{"x-kept":(.*)\}$/,
          "$1",
        ),
      );
    });
    expect(seen).toContain("capabilities.streaming kept");
    expect(seen).toContain("capabilities.extensions.required dropped");
    expect(seen.length).toBeGreaterThan(60);
  });

  it("keeps free-form values and unknown members as they were received (A2A-8.4.1-d)", () => {
    const params = { a: "", b: [], c: {}, d: null, e: false };
    const card = {
      capabilities: { extensions: [{ uri: "x", params }] },
      "x-vendor": { a: "", b: null },
      skills: [{ future: [] }],
    };
    expect(canonical(card)).toEqual(card);
  });

  it("is the same before and after a card is signed (A2A-8.4.1-f)", () => {
    const card = { name: "A", version: "1" };
    expect(canonicalCard({ ...card, signatures: [{ protected: "e30", signature: "AA" }] })).toBe(
      canonicalCard(card),
    );
  });

  it("does not depend on the order of members, and never on `__proto__`", () => {
    expect(canonicalCard({ b: 1, a: { d: 1, c: 2 } })).toBe('{"a":{"c":2,"d":1},"b":1}');
    expect(canonicalCard(JSON.parse('{"__proto__":{"a":1}}') as object)).toBe('{"__proto__":{"a":1}}');
  });

  it("refuses what is no JSON", () => {
    expect(() => canonicalCard({ "x-n": Number.NaN })).toThrow("The card is no JSON");
  });

  it("in the SDKs' form has nothing empty and nothing unknown", () => {
    const card = {
      name: "A",
      description: "",
      skills: [],
      capabilities: { streaming: false, extensions: [{ uri: "x", params: { a: "", b: [{}] } }] },
      "x-vendor": 1,
    };
    expect(canonicalCard(card, "sdk")).toBe(
      '{"capabilities":{"extensions":[{"uri":"x"}],"streaming":false},"name":"A"}',
    );
    expect(canonicalCard({ description: "" }, "sdk")).toBe("{}");
  });

  it("of a card that is signed on the wire keeps all of it", () => {
    const text = readFileSync(
      new URL("../cards/card-45-v1-spec-sample-signed.json", import.meta.url),
      "utf8",
    );
    const { signatures: _, ...card } = JSON.parse(text) as Record<string, unknown>;
    expect(canonical(card)).toEqual(card);
  });
});

const EMPTY: Readonly<Record<string, unknown>> = { string: "", boolean: false, list: [], map: {} };

type Visitor = (
  path: readonly string[],
  rule: Rule,
  owner: ObjectRule,
  wrap: (value: unknown) => object,
) => void;

/** Every member of every message below a rule; `wrap` makes a card that has a value there. */
function visitMembers(
  rule: Rule,
  visit: Visitor,
  path: readonly string[] = [],
  wrap = (value: unknown): unknown => value,
): void {
  switch (rule.is) {
    case "list":
      visitMembers(rule.of, visit, path, (value) => wrap([value]));
      return;
    case "map":
      visitMembers(rule.of, visit, path, (value) => wrap({ key: value }));
      return;
    case "object":
      for (const [name, of] of Object.entries(rule.fields)) {
        const here = (value: unknown): object => wrap({ [name]: value }) as object;
        visit([...path, name], of, rule, here);
        visitMembers(of, visit, [...path, name], here);
      }
      return;
    default:
  }
}
