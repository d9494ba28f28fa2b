import { describe, expect, it } from "vitest";
import { format } from "../../codegen/emit/format.js";
import { INTERNAL } from "../../codegen/emit/target.js";
import { emitTypes } from "../../codegen/emit/types.js";
import type { Decl } from "../../codegen/ir/types.js";
import {
  alias,
  anyOf,
  array,
  enumOf,
  field,
  literal,
  map,
  modelOf,
  objectOf,
  present,
  ref,
  scalar,
  string,
} from "./fixture.js";

/** The code of some declarations, without header and origins. */
async function typesOf(...decls: Decl[]): Promise<string> {
  const text = await format("types.ts", await emitTypes(modelOf(decls), INTERNAL));
  return text
    .replace(/^\/\/ .*\n/, "")
    .replace(/^ *\/\*\* @generated from \S+ \*\/\n/gm, "")
    .replace(/\/\*\*\n *\* (.*)\n *\* @generated from \S+\n *\*\//g, "/** $1 */")
    .trim();
}

describe("types", () => {
  it("an object is an interface: required and optional members, JSON types from the seam", async () => {
    const card = objectOf("Card", [
      field("id", string, { required: true }),
      field("size", scalar("int32")),
      field("big", scalar("int64")),
      field("kind", literal("card"), { required: true }),
      field("tags", array(string, 1)),
      field("more", map(ref("Card"))),
      field("any", scalar("json"), { required: true }),
      field("meta", scalar("struct")),
      field("x-odd", anyOf(string, scalar("null"))),
    ]);
    expect(await typesOf(card)).toBe(`import type { Json, JsonObject } from "../../src/descriptor.js";

export interface Card {
  id: string;
  size?: number;
  /** (64-bit integer as a decimal string.) */
  big?: string;
  kind: "card";
  tags?: string[];
  more?: {
    [key: string]: Card;
  };
  any: Json;
  meta?: JsonObject;
  "x-odd"?: string | null;
}`);
  });

  it("a required oneof is an exclusive union in wire shape", async () => {
    const part = objectOf("Part", [field("text", string), field("raw", string), field("name", string)], {
      oneofs: [{ name: "content", members: ["text", "raw"], required: true }],
    });
    expect(await typesOf(part)).toBe(`export type Part = {
  name?: string;
} & (
  | {
      text: string;
      raw?: never;
    }
  | {
      text?: never;
      raw: string;
    }
);`);
  });

  it("an optional oneof may also be empty", async () => {
    const pick = objectOf("Pick", [field("a", string), field("b", string)], {
      oneofs: [{ name: "which", members: ["a", "b"], required: false }],
    });
    expect(await typesOf(pick)).toBe(`export type Pick =
  | {
      a: string;
      b?: never;
    }
  | {
      a?: never;
      b: string;
    }
  | {
      a?: never;
      b?: never;
    };`);
  });

  it("forms that exclude each other rule out each other's marks", async () => {
    const file = alias("File", present({ bytes: ref("Bytes"), uri: ref("Uri") }));
    expect(await typesOf(file, objectOf("Bytes", []), objectOf("Uri", []))).toContain(`export type File =
  | (Bytes & {
      uri?: never;
    })
  | (Uri & {
      bytes?: never;
    });`);
  });

  it("an enum is a const object with short keys and a closed union, before everything else", async () => {
    const state = enumOf("State", { WORKING: "STATE_WORKING", INPUT_REQUIRED: "input-required" });
    expect(await typesOf(alias("A", ref("State")), state)).toBe(`export const State = {
  WORKING: "STATE_WORKING",
  INPUT_REQUIRED: "input-required",
} as const;
export type State = (typeof State)[keyof typeof State];

export type A = State;`);
  });

  it("docs end up on the property, with default, deprecation and origin, and cannot end the comment", async () => {
    const decl = objectOf("Doc", [
      field("size", scalar("integer"), {
        doc: "How much */ of it.",
        default: 10,
        deprecated: "Use `length`.",
        pointer: "#/definitions/Doc/properties/size",
      }),
    ]);
    const text = await format("types.ts", await emitTypes(modelOf([{ ...decl, doc: "A doc." }]), INTERNAL));
    expect(text).toContain(`/**
 * A doc.
 * @generated from #/definitions/Doc
 */
export interface Doc {
  /**
   * How much *\\/ of it.
   * @default 10
   * @deprecated Use \`length\`.
   * @generated from #/definitions/Doc/properties/size
   */
  size?: number;
}`);
  });

  it("a reference with a doc of its own makes no second type", async () => {
    const decls = [
      objectOf("Message", [field("id", string)]),
      objectOf("Task", [
        field("first", ref("Message"), { doc: "The first." }),
        field("last", ref("Message"), { doc: "The last." }),
      ]),
    ];
    const names = [...(await typesOf(...decls)).matchAll(/export (?:interface|type|const) (\w+)/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(["Message", "Task"]);
  });

  it("an object without members is the empty record", async () => {
    expect(await typesOf(objectOf("Empty", []))).toBe("export type Empty = Record<string, never>;");
  });

  it("a declaration that is called like a JSON type of the seam gets its way", async () => {
    const text = await typesOf(objectOf("Json", [field("value", scalar("json"))]));
    expect(text).toContain('import type { Json as Json_ } from "../../src/descriptor.js";');
    expect(text).toContain("value?: Json_;");
  });

  it("keeps a name as the schema spells it", async () => {
    const text = await typesOf(objectOf("Task_status", [field("a", string)]), alias("HTTP2client", string));
    expect(text).toContain("export interface Task_status {");
    expect(text).toContain("export type HTTP2client = string;");
  });

  it("a member that no object literal can have is refused with its origin", async () => {
    await expect(typesOf(objectOf("Proto", [field("__proto__", string)]))).rejects.toThrow(
      "#/fields/__proto__: a field cannot be named __proto__",
    );
  });
});
