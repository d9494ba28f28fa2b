import { describe, expect, it } from "vitest";
import type { Json } from "../../src/descriptor.js";
import { createChain } from "../../src/convert/chain.js";
import type { Direction, Releases } from "../../src/convert/context.js";
import type { Loss } from "../../src/convert/types.js";
import { array, enumOf, field, objectOf, ref, scalar, string, tagged } from "../codegen/fixture.js";
import { hopOf, type Neighbours } from "../codegen/convert-support.js";

type Result = readonly [value: unknown, losses: readonly string[]];

/** Both ways between two versions of a type. */
async function between(
  neighbours: Neighbours,
  Thing: object,
  more: object = {},
): Promise<Record<Direction, (value: Json, releases?: Releases) => Result>> {
  const hop = await hopOf(neighbours, { types: { Thing, ...more } });
  const rule = hop.types["Thing"]?.rule;
  if (rule === undefined) throw new Error("no rule");
  const run =
    (direction: Direction) =>
    (value: Json, releases: Releases = {}): Result => {
      const losses: Loss[] = [];
      const before = structuredClone(value);
      const chain = createChain([{ rule, direction, releases }]);
      const out = chain(value, true, {}, losses);
      // Who does not ask for the losses takes another way.
      expect(chain(value, true)).toEqual(out);
      expect(value).toEqual(before);
      return [out, losses.map(({ path, code }) => `${path} ${code}`)];
    };
  return { up: run("up"), down: run("down") };
}

const implicit = { presence: "implicit" } as const;
const required = { required: true } as const;

describe("members", () => {
  it("of nested objects, taken apart and put together", async () => {
    const { up, down } = await between(
      {
        older: [
          objectOf("Thing", [field("file", ref("File"), required), field("note", string)]),
          objectOf("File", [field("name", string), field("size", scalar("integer"))]),
        ],
        newer: [
          objectOf("Thing", [
            field("fileName", string, implicit),
            field("size", scalar("integer")),
            field("note", string),
          ]),
        ],
      },
      { members: { fileName: "file.name", size: "file.size" } },
    );
    expect(up({ file: { name: "n", size: 1, odd: true }, note: "x" })).toEqual([
      { fileName: "n", size: 1, note: "x" },
      ["/file/odd dropped"],
    ]);
    expect(down({ fileName: "n", size: 1 })).toEqual([{ file: { name: "n", size: 1 } }, []]);
    // Required, so written even where nothing is in it.
    expect(down({ fileName: "" })).toEqual([{ file: {} }, []]);
  });

  it("on both sides of one nested object, where one member moves out", async () => {
    const { up, down } = await between(
      {
        older: [
          objectOf("Thing", [field("can", ref("Can"), required), field("extra", scalar("boolean"))]),
          objectOf("Can", [field("stream", scalar("boolean"))]),
        ],
        newer: [
          objectOf("Thing", [field("can", ref("Can"), required)]),
          objectOf("Can", [field("stream", scalar("boolean")), field("extra", scalar("boolean"))]),
        ],
      },
      { members: { "can.extra": "extra" } },
    );
    const [upper] = up({ can: { stream: false }, extra: true });
    expect(upper).toEqual({ can: { stream: false, extra: true } });
    expect(down(upper as Json)).toEqual([{ can: { stream: false }, extra: true }, []]);
  });

  it("defaults of a side without presence are not written on one that has it", async () => {
    const fields = (more: object) => [
      field("text", string, more),
      field("list", array(string), more),
      field("flag", scalar("boolean"), more),
      field("gone", string, more),
    ];
    const { up, down } = await between(
      {
        older: [objectOf("Thing", fields({}).slice(0, 3))],
        newer: [objectOf("Thing", fields(implicit))],
      },
      { drop: { newer: ["gone"] } },
    );
    expect(down({ text: "", list: [], flag: false, gone: "" })).toEqual([{}, []]);
    expect(down({ text: "a", list: ["b"], flag: true, gone: "c" })).toEqual([
      { text: "a", list: ["b"], flag: true },
      ["/gone dropped"],
    ]);
    expect(up({ text: "", list: [], flag: false })).toEqual([{ text: "", list: [], flag: false }, []]);
  });

  it("fill: written where nothing is, reported unless absence meant it, for old releases only", async () => {
    const { down } = await between(
      {
        older: [
          objectOf("Thing", [
            field("id", string, required),
            field("wait", scalar("boolean")),
            field("modes", array(string)),
          ]),
        ],
        newer: [
          objectOf("Thing", [
            field("id", string),
            field("hurry", scalar("boolean")),
            field("modes", array(string)),
          ]),
        ],
      },
      {
        members: {
          id: { fill: { older: { value: "" } } },
          hurry: { older: "wait", as: "not", fill: { older: { value: true, silent: true } } },
          modes: { fill: { older: { value: [], until: "8.0.2" } } },
        },
      },
    );
    expect(down({})).toEqual([{ id: "", wait: true, modes: [] }, ["/id synthesized", "/modes synthesized"]]);
    expect(down({ id: "a", hurry: true }, { older: "8.0.2" })).toEqual([
      { id: "a", wait: false, modes: [] },
      ["/modes synthesized"],
    ]);
    expect(down({ id: "a", hurry: false }, { older: "8.0.3" })).toEqual([{ id: "a", wait: true }, []]);
    // Nobody can write into the rules.
    const [first] = down({ id: "a" });
    (first as { modes: string[] }).modes.push("x");
    expect(down({ id: "a" })[0]).toMatchObject({ modes: [] });
  });

  it("unset: a value that on one side stands for nothing", async () => {
    const count = [field("count", scalar("int32"))];
    const { up, down } = await between(
      { older: [objectOf("Thing", count)], newer: [objectOf("Thing", count)] },
      { members: { count: { unset: { older: 0 } } } },
    );
    expect(up({ count: 0 })).toEqual([{}, []]);
    expect(up({ count: 2 })).toEqual([{ count: 2 }, []]);
    expect(down({ count: 0 })).toEqual([{}, ["/count dropped"]]);
    expect(down({})).toEqual([{}, []]);
  });

  it("since: a member that old releases do not have", async () => {
    const more = [field("more", string)];
    const { down } = await between(
      { older: [objectOf("Thing", more)], newer: [objectOf("Thing", more)] },
      { members: { more: { since: { older: "8.0.5" } } } },
    );
    expect(down({ more: "a" }, { older: "8.0.4" })).toEqual([{}, ["/more dropped"]]);
    for (const releases of [{ older: "8.0.5" }, { older: "8.0.10" }, {}])
      expect(down({ more: "a" }, releases)).toEqual([{ more: "a" }, []]);
  });

  it("constants: always written, and a loss where they say something else", async () => {
    const { up, down } = await between(
      {
        older: [objectOf("Thing", [])],
        newer: [objectOf("Thing", [field("version", string, required)])],
      },
      { constants: { newer: { version: "8" } } },
    );
    expect(up({})).toEqual([{ version: "8" }, []]);
    expect(down({ version: "8" })).toEqual([{}, []]);
    expect(down({ version: "9" })).toEqual([{}, ["/version dropped"]]);
  });

  it("resource names", async () => {
    const { up, down } = await between(
      {
        older: [objectOf("Thing", [field("name", string)])],
        newer: [objectOf("Thing", [field("taskId", string), field("id", string)])],
      },
      { names: { older: { name: "tasks/{taskId}/things/{id}" } } },
    );
    expect(up({ name: "tasks/a.b/things/c" })).toEqual([{ taskId: "a.b", id: "c" }, []]);
    expect(down({ taskId: "a", id: "c" })).toEqual([{ name: "tasks/a/things/c" }, []]);
    expect(() => up({ name: "task/a" })).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ pointer: "/name" })] }) as Error,
    );
  });
});

describe("enums", () => {
  const neighbours: Neighbours = {
    older: [objectOf("Thing", [field("s", ref("S"))]), enumOf("S", { A: "a", X: "old" })],
    newer: [objectOf("Thing", [field("s", ref("S"))]), enumOf("S", { A: "S_A", B: "S_PAUSED", C: "S_ODD" })],
  };

  it("a name without a partner becomes the nearest one, or is refused", async () => {
    const { up, down } = await between(
      neighbours,
      {},
      {
        S: {
          nearest: { newer: { S_PAUSED: "a" }, older: { old: "S_A" } },
          refuse: { newer: ["S_ODD"] },
        },
      },
    );
    expect(down({ s: "S_PAUSED" })).toEqual([{ s: "a" }, ["/s dropped"]]);
    expect(up({ s: "old" })).toEqual([{ s: "S_A" }, ["/s dropped"]]);
    expect(() => down({ s: "S_ODD" })).toThrow('s: "S_ODD" has no counterpart in the other version');
  });

  it("what is unknown becomes the fallback", async () => {
    const { up, down } = await between(
      neighbours,
      {},
      {
        S: {
          nearest: { newer: { S_PAUSED: "a" }, older: { old: "S_A" } },
          refuse: { newer: ["S_ODD"] },
          fallback: { older: "old", newer: "S_ODD" },
        },
      },
    );
    expect(up({ s: "never heard" })).toEqual([{ s: "S_ODD" }, ["/s dropped"]]);
    expect(down({ s: "S_NEW" })).toEqual([{ s: "old" }, ["/s dropped"]]);
  });
});

describe("unions", () => {
  it("a variant that one side lacks goes, and so does what cannot be without it", async () => {
    const { down } = await between(
      {
        older: [
          objectOf("Thing", [
            field("all", array(ref("Holder"))),
            field("by", { kind: "map", of: ref("Holder") }),
          ]),
          objectOf("Holder", [field("of", tagged("kind", { a: ref("A") }), required)]),
          objectOf("A", [field("kind", { kind: "literal", value: "a" }, required)]),
        ],
        newer: [
          objectOf("Thing", [
            field("all", array(ref("Holder"))),
            field("by", { kind: "map", of: ref("Holder") }),
          ]),
          objectOf("Holder", [field("of", ref("Of"), required)]),
          objectOf("Of", [field("one", ref("A")), field("two", ref("B"))], {
            oneofs: [{ name: "of", members: ["one", "two"], required: true }],
          }),
          objectOf("A", []),
          objectOf("B", []),
        ],
      },
      {},
      {
        Holder: { members: { of: { as: "Of" } } },
        Of: { older: "Holder.of", variants: [{ older: ["a"], newer: ["one"], as: "A" }, { newer: ["two"] }] },
      },
    );
    expect(
      down({
        all: [{ of: { one: {} } }, { of: { two: {} } }, { of: { one: { odd: 1 } } }],
        // What was noted on the way to nothing is void.
        by: { x: { odd: 1, of: { two: {} } } },
      }),
    ).toEqual([
      { all: [{ of: { kind: "a" } }, { of: { kind: "a" } }], by: {} },
      ["/all/1 dropped", "/all/2/of/one/odd dropped", "/by/x dropped"],
    ]);
  });
});

it("names of members and keys that objects inherit are harmless", async () => {
  const map = [field("by", { kind: "map", of: ref("Inner") })];
  const { up } = await between(
    {
      older: [objectOf("Thing", map), objectOf("Inner", [field("a", string)])],
      newer: [objectOf("Thing", map), objectOf("Inner", [field("b", string)])],
    },
    {},
    { Inner: { members: { b: "a" } } },
  );
  const value = JSON.parse(
    '{ "by": { "__proto__": { "a": "x" }, "constructor": { "a": "y" } }, "toString": 1 }',
  ) as Json;
  const [out, losses] = up(value);
  expect(JSON.stringify(out)).toBe('{"by":{"__proto__":{"b":"x"},"constructor":{"b":"y"}}}');
  expect(losses).toEqual(["/toString dropped"]);
});

it("a member named like one that objects inherit is missing where it is not given", async () => {
  const { up } = await between(
    {
      older: [objectOf("Thing", [field("toString", string), field("a", string)])],
      newer: [objectOf("Thing", [field("b", string), field("c", string)])],
    },
    { members: { b: "toString", c: "a" } },
  );
  expect(up({ a: "x" })).toEqual([{ c: "x" }, []]);
  expect(up({ toString: "y", a: "x" })).toEqual([{ b: "y", c: "x" }, []]);
});
