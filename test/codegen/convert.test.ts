import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../codegen/convert/declaration.js";
import { emitConversions } from "../../codegen/convert/emit-conversions.js";
import { loadHops } from "../../codegen/convert/load-hops.js";
import { gate } from "../../codegen/emit/gate.js";
import {
  anyOf,
  array,
  enumOf,
  field,
  method,
  modelOf,
  objectOf,
  ref,
  scalar,
  string,
  tagged,
} from "./fixture.js";
import { supportedLines } from "../../codegen/load/load-line.js";
import { modelsOf } from "../../codegen/pipeline.js";
import { shuffleKeys } from "./shuffle.js";
import { draftOf, type Neighbours } from "./convert-support.js";

const optional = (name: string) => field(name, string);
const required = (name: string) => field(name, string, { required: true });
/** Two versions with one type each. */
const thing = (older: ReturnType<typeof field>[], newer: ReturnType<typeof field>[]): Neighbours => ({
  older: [objectOf("Thing", older)],
  newer: [objectOf("Thing", newer)],
});
const types = (Thing: object) => ({ types: { Thing } });

describe("what follows from the schemas need not be said", () => {
  it("equal types change nothing, at any depth", () => {
    const decls = () => [
      objectOf("Thing", [required("id"), field("next", ref("Thing")), field("all", array(ref("Other")))]),
      objectOf("Other", [optional("a")]),
    ];
    const draft = draftOf({ older: decls(), newer: decls() }, types({}));
    expect(Object.entries(draft.types).map(([name, { rule }]) => [name, rule.is])).toEqual([
      ["Thing", "same"],
      ["Other", "same"],
    ]);
  });

  it("one change deep inside makes everything around it a conversion", () => {
    const decls = (inner: string) => [
      objectOf("Thing", [field("all", array(ref("Other")))]),
      objectOf("Other", [optional(inner)]),
    ];
    const draft = draftOf(
      { older: decls("a"), newer: decls("b") },
      { types: { Thing: {}, Other: { members: { b: "a" } } } },
    );
    expect(draft.types["Thing"]?.rule).toEqual({
      is: "object",
      members: [{ older: "all", newer: "all", as: { is: "items", of: { is: "ref", name: "Other" } } }],
    });
  });

  it("literals, names of enums that are alike, and methods of one name", () => {
    const kind = field("kind", { kind: "literal", value: "thing" }, { required: true });
    const draft = draftOf(
      {
        older: [
          objectOf("Thing", [kind, field("state", ref("State"))]),
          enumOf("State", { A: "in-use", B: "left" }),
        ],
        newer: [
          objectOf("Thing", [field("state", ref("State"))]),
          enumOf("State", { A: "STATE_IN_USE", B: "STATE_LEFT" }),
        ],
        olderMethods: [method("Get", ref("Thing"), ref("Thing"))],
        newerMethods: [method("Get", ref("Thing"), ref("Thing"))],
      },
      {},
    );
    expect(draft.types["State"]?.rule).toMatchObject({
      pairs: [
        ["in-use", "STATE_IN_USE"],
        ["left", "STATE_LEFT"],
      ],
    });
    expect(draft.types["Thing"]?.rule).toMatchObject({
      members: [{ newer: "state" }, { older: "kind", value: "thing" }],
    });
    expect(draft.methods).toMatchObject([{ older: "get", newer: "get" }]);
  });
});

describe("a gap in a declaration is a fault with its place", () => {
  const faults: [name: string, neighbours: Neighbours, declaration: object, message: string][] = [
    [
      "a member that the newer type lacks",
      thing([optional("a"), optional("b")], [optional("a")]),
      types({}),
      "8.0-9.0.json#/types/Thing: b of the older type is neither mapped nor dropped (name it under members, drop, constants, names or hooks)",
    ],
    [
      "a member that the older type lacks",
      thing([optional("a")], [optional("a"), optional("b")]),
      types({}),
      "8.0-9.0.json#/types/Thing: b of the newer type is neither mapped nor dropped",
    ],
    [
      "a required member whose source may be absent",
      thing([optional("a")], [required("a")]),
      types({}),
      '8.0-9.0.json#/types/Thing/members/a: a is required by the newer type and optional in the other (say what is written where it is absent: "fill": { "newer": { "value": … } })',
    ],
    [
      "a required member that is dropped",
      thing([optional("a")], [optional("a"), required("b")]),
      types({ drop: { newer: ["b"] } }),
      "8.0-9.0.json#/types/Thing/drop/newer/b: b is required by the newer type and would have no source",
    ],
    [
      "types that do not fit each other",
      thing([field("a", scalar("boolean"))], [optional("a")]),
      types({}),
      "8.0-9.0.json#/types/Thing/members/a: boolean and string do not fit each other (name a hook or an entry in `as`)",
    ],
    [
      "named types that nobody paired",
      {
        older: [objectOf("Thing", [field("a", ref("One"))]), objectOf("One", [])],
        newer: [objectOf("Thing", [field("a", ref("Two"))]), objectOf("Two", [])],
      },
      types({}),
      '8.0-9.0.json#/types/Thing/members/a: A2A 8.0 has One where A2A 9.0 has Two (say under types that they belong together: "Two": { "older": "One" })',
    ],
    [
      "a member that does not exist",
      thing([optional("a")], [optional("a")]),
      types({ members: { a: "z" } }),
      "8.0-9.0.json#/types/Thing: the older type has no z",
    ],
    [
      "a member that is spoken for twice",
      thing([optional("a")], [optional("a"), optional("b")]),
      types({ members: { a: "a", b: "a" } }),
      "a is spoken for twice",
    ],
    [
      "a type that does not exist",
      thing([], []),
      { types: { Thnig: {} } },
      "8.0-9.0.json#/types/Thnig/older: A2A 8.0 has no type Thnig (name one of its types)",
    ],
    [
      "a hook that does not exist",
      thing([optional("a")], [optional("a")]),
      types({ hooks: [{ hook: "magic" }] }),
      "8.0-9.0.json#/types/Thing/hooks/0/hook: there is no hook magic",
    ],
    [
      "an entry that does not exist",
      thing([optional("a")], [optional("a")]),
      types({ members: { a: { as: "Nothing" } } }),
      "8.0-9.0.json#/types/Thing/members/a/as: Nothing is neither an entry under types nor a hook",
    ],
    [
      "two entries for one pair",
      thing([], []),
      { types: { Thing: {}, Again: { older: "Thing", newer: "Thing" } } },
      "8.0-9.0.json#/types/Thing: is the same pair of types as Again (keep one)",
    ],
    [
      "a name of an enum without a partner",
      { older: [enumOf("Thing", { A: "a" })], newer: [enumOf("Thing", { A: "a", B: "b" })] },
      types({}),
      "8.0-9.0.json#/types/Thing: b of the newer enum has no partner (name it under values, nearest or refuse)",
    ],
    [
      "a name of an enum that does not exist",
      { older: [enumOf("Thing", { A: "a" })], newer: [enumOf("Thing", { A: "a" })] },
      types({ values: { z: "a" } }),
      "8.0-9.0.json#/types/Thing/values/z: the newer enum has no z",
    ],
    [
      "a variant without a partner",
      {
        older: [objectOf("A", []), objectOf("Thing", [field("x", tagged("kind", { a: ref("A") }))])],
        newer: [
          objectOf("A", []),
          objectOf("B", []),
          objectOf("Thing", [field("x", tagged("kind", { a: ref("A"), b: ref("B") }))]),
        ],
      },
      types({}),
      "variant b of the newer union is neither mapped nor dropped",
    ],
    [
      "a union without marks",
      {
        older: [objectOf("Thing", [field("x", anyOf(string, scalar("null")))])],
        newer: [objectOf("Thing", [field("x", anyOf(string, scalar("integer")))])],
      },
      types({}),
      "is no union that tells its variants apart",
    ],
    [
      "a method without a partner",
      { ...thing([], []), newerMethods: [method("Get", ref("Thing"), ref("Thing"))] },
      {},
      '8.0-9.0.json#/methods/Get: A2A 8.0 has no method Get (name its partner there, or say "Get": null)',
    ],
    [
      "an older method without a partner",
      { ...thing([], []), olderMethods: [method("Get", ref("Thing"), ref("Thing"))] },
      {},
      "8.0-9.0.json#/methods: Get of A2A 8.0 has no partner (name it beside its partner, or under olderMethods)",
    ],
    [
      "a stream for a call",
      {
        ...thing([], []),
        olderMethods: [method("Get", ref("Thing"), ref("Thing"))],
        newerMethods: [method("Get", ref("Thing"), ref("Thing"), { kind: "serverStream" })],
      },
      {},
      "8.0-9.0.json#/methods/Get: one of Get and Get is a stream, the other not",
    ],
    [
      "a method that does not exist",
      thing([], []),
      { methods: { Git: null } },
      "8.0-9.0.json#/methods/Git: A2A 9.0 has no method Git",
    ],
    [
      "a word that the format does not have",
      thing([], []),
      types({ member: {} }),
      '8.0-9.0.json#/types/Thing: Unrecognized key: "member"',
    ],
  ];

  it.each(faults)("%s", (_, neighbours, declaration, message) => {
    expect(() => draftOf(neighbours, declaration)).toThrow(message);
  });

  it("text that is no JSON, and a key twice", () => {
    expect(() => parseDeclaration("{", "x.json")).toThrow("x.json: is not JSON");
    expect(() => parseDeclaration('{ "older": "1", "older": "2" }', "x.json")).toThrow("x.json#/older");
  });

  it("neighbours without a declaration", async () => {
    const models = ["8.0", "9.0"].map((version) => modelOf([objectOf("Thing", [])], { version }));
    await expect(emitConversions(models, [])).rejects.toThrow(
      'schemas/convert: says nothing about A2A 8.0 and 9.0 (write 8.0-9.0.json: { "older": "8.0", "newer": "9.0" })',
    );
  });
});

it("what is emitted type-checks, types that hold themselves included", async () => {
  const { emitHop } = await import("../../codegen/convert/emit-hop.js");
  const decls = (name: string) => [
    objectOf("Thing", [optional(name), field("next", ref("Link")), field("all", array(ref("Thing")))]),
    objectOf("Link", [field("thing", ref("Thing"))]),
  ];
  const draft = draftOf({ older: decls("a"), newer: decls("b") }, types({ members: { b: "a" } }));
  const text = emitHop(draft, "../../src/descriptor.js", "// generated");
  gate(new Map([["convert/8.0-9.0.ts", text]]));
  expect(text).toContain("get as()");
}, 60_000);

it("the order of keys in a declaration says nothing", async () => {
  const models = await modelsOf(supportedLines);
  const hops = await loadHops();
  const shuffled = hops.map((hop) => ({
    ...hop,
    declaration: parseDeclaration(JSON.stringify(shuffleKeys(hop.declaration)), hop.file),
  }));
  expect(await emitConversions(models, shuffled)).toEqual(await emitConversions(models, hops));
}, 60_000);
