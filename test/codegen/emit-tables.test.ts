import { describe, expect, it } from "vitest";
import { format } from "../../codegen/emit/format.js";
import { emitTables } from "../../codegen/emit/tables.js";
import { INTERNAL } from "../../codegen/emit/target.js";
import type { Decl, Method } from "../../codegen/ir/types.js";
import {
  alias,
  anyOf,
  array,
  enumOf,
  field,
  map,
  method,
  modelOf,
  objectOf,
  present,
  ref,
  scalar,
  string,
  tagged,
} from "./fixture.js";

const tablesOf = async (decls: Decl[], methods: Method[] = []): Promise<string> =>
  format("tables.ts", emitTables(modelOf(decls, { methods }), INTERNAL));

describe("tables", () => {
  it("an object: rules by name, required members, spellings, oneofs", async () => {
    const decl = objectOf(
      "Part",
      [
        field("id", string, { required: true, blank: "refused", aliases: ["part_id"] }),
        field("taskId", string, { blank: "absent", aliases: ["task_id"] }),
        field("text", string),
        field("raw", scalar("bytes"), { legacy: ["bytes"] }),
        field("tags", array(string, 1)),
        field("scopes", map(string)),
      ],
      { oneofs: [{ name: "content", members: ["text", "raw"], required: true }] },
    );
    expect(await tablesOf([decl])).toContain(`export const Part: Table<T.Part> = message(
  { id: filled },
  { taskId: blankable, text: str, raw: bytes, tags: { is: "list", of: str, min: 1 }, scopes: map(str) },
  {
    aliases: { part_id: "id" },
    legacy: { bytes: "raw" },
    oneofs: [{ members: ["text", "raw"], required: true }],
  },
);`);
  });

  it("a message that is one oneof: its members, then the rest", async () => {
    const fields = [field("text", string), field("name", string), field("tags", array(string))];
    const content = { name: "content", members: ["text", "tags"], required: true };
    expect(await tablesOf([objectOf("Part", fields, { oneofs: [content] })])).toContain(
      "export const Part: Table<T.Part> = oneOf({ text: str, tags: list(str) }, { name: str });",
    );
    expect(
      await tablesOf([objectOf("Part", fields, { oneofs: [{ ...content, required: false }] })]),
    ).toContain('oneofs: [{ members: ["text", "tags"], required: false }]');
  });

  it("only the builders that are used, marked as free of side effects", async () => {
    const text = await tablesOf([objectOf("A", [field("a", string)], { proto: false })]);
    expect(text.match(/^const (\w+) = .*$/gm)).toEqual(["const object = /* @__NO_SIDE_EFFECTS__ */ ("]);
    expect(await tablesOf([enumOf("State", { ON: "STATE_ON" })])).not.toContain("@__");
  });

  it("a builder gives way to a declaration of the same name", async () => {
    const text = await tablesOf([objectOf("message", [field("list", array(string))])]);
    expect(text).toContain("export const message: Table<T.message> = message_({}, { list: list(str) });");
  });

  it("spellings that the decoder derives are not listed, but those of plain JSON are", async () => {
    const fields = [field("taskId", string, { aliases: ["task_id"] })];
    expect(await tablesOf([objectOf("A", fields)])).not.toContain("task_id");
    expect(await tablesOf([objectOf("A", fields, { proto: false })])).toContain(
      'aliases: { task_id: "taskId" }',
    );
  });

  it("only the scalar rules that are used, once each", async () => {
    const text = await tablesOf([objectOf("Two", [field("a", string), field("b", string)])]);
    expect(text.match(/^const \w+: .*/gm)).toEqual(['const str: StringRule = { is: "string" };']);
    expect(text).toContain('import type { ObjectRule, StringRule, Table } from "../../src/descriptor.js";');
  });

  it("an enum: names, protobuf numbers, spellings of other generations", async () => {
    const state = enumOf("State", { OFF: "STATE_OFF", ON: "STATE_ON" });
    const on =
      state.kind === "enum"
        ? { ...state, values: state.values.map((value) => ({ ...value, legacy: [value.key.toLowerCase()] })) }
        : state;
    expect(await tablesOf([on])).toContain(`export const State: EnumRule & Table<T.State> = {
  is: "enum",
  values: ["STATE_OFF", "STATE_ON"],
  numbers: [0, 1],
  legacy: { off: "STATE_OFF", on: "STATE_ON" },
};`);
  });

  it("unions by tag, by presence and by order", async () => {
    const text = await tablesOf([
      objectOf("A", []),
      objectOf("B", []),
      alias("ByTag", tagged("kind", { a: ref("A"), b: ref("B") })),
      alias("ByPresence", present({ bytes: ref("A"), uri: ref("B") })),
      alias("ByOrder", anyOf(string, scalar("integer"), scalar("null"))),
    ]);
    expect(text).toContain(
      'export const ByTag: Table<T.ByTag> = { is: "tagged", tag: "kind", variants: { a: A, b: B } };',
    );
    expect(text).toContain(`variants: [
    ["bytes", A],
    ["uri", B],
  ],
  exclusive: true,`);
    expect(text).toContain(
      'export const ByOrder: Table<T.ByOrder> = { is: "anyOf", of: [str, integer, nil] };',
    );
  });

  it("dependencies stand first, so that a table is named without detours", async () => {
    const text = await tablesOf([objectOf("A", [field("z", ref("Z"))]), objectOf("Z", [])]);
    expect(text.indexOf("const Z:")).toBeLessThan(text.indexOf("const A:"));
    expect(text).not.toContain("get ");
  });

  it("a real cycle is closed by a getter, and only there", async () => {
    const text = await tablesOf([
      objectOf("Node", [
        field("left", ref("Node")),
        field("kids", array(ref("Node"))),
        field("leaf", ref("Leaf")),
      ]),
      objectOf("Leaf", []),
    ]);
    expect(text).toContain(`  fields: {
    get left() {
      return Node;
    },
    kids: {
      is: "list",
      get of() {
        return Node;
      },
    },
    leaf: Leaf,
  },`);
  });

  it("a bare union of a method gets a table of its own", async () => {
    const text = await tablesOf(
      [objectOf("Task", [])],
      [method("Get", ref("Task"), anyOf(ref("Task"), scalar("null")))],
    );
    expect(text).toContain("export const GetOutput: Table<T.Task | null> =");
  });
});
