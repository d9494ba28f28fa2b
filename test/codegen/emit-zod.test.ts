import { describe, expect, it } from "vitest";
import { format } from "../../codegen/emit/format.js";
import { INTERNAL } from "../../codegen/emit/target.js";
import { emitZod } from "../../codegen/emit/zod.js";
import type { Decl } from "../../codegen/ir/types.js";
import { GetTaskPushNotificationConfigInput } from "../../generated/v0.3/zod.js";
import { Message, Part, Task } from "../../generated/v1.0/zod.js";
import {
  alias,
  array,
  field,
  literal,
  map,
  modelOf,
  objectOf,
  present,
  ref,
  scalar,
  string,
  tagged,
} from "./fixture.js";

const zodOf = async (...decls: Decl[]): Promise<string> =>
  format("zod.ts", emitZod(modelOf(decls), INTERNAL));

describe("zod schemas", () => {
  it("are one constant per declaration, typed by it", async () => {
    const text = await zodOf(
      objectOf("Card", [
        field("id", string, { required: true, blank: "refused" }),
        field("tags", array(string, 1)),
        field("more", map(scalar("json"))),
      ]),
    );
    expect(text).toContain(`export const Card: z.ZodType<T.Card> = typed(
  z.looseObject({
    id: z.string().min(1),
    tags: z.array(z.string()).min(1).optional(),
    more: z.record(z.string(), z.json()).optional(),
  }),
);`);
  });

  it("are lazy only within a cycle", async () => {
    const text = await zodOf(
      objectOf("Node", [field("next", ref("Node")), field("leaf", ref("Leaf"))]),
      objectOf("Leaf", []),
    );
    expect(text).toContain("next: z.lazy(() => Node).optional()");
    expect(text).toContain("leaf: Leaf.optional()");
  });

  it("look at the tag of a union first", async () => {
    const variant = (name: string): Decl =>
      objectOf(name, [field("kind", literal(name), { required: true })]);
    const text = await zodOf(
      variant("A"),
      variant("B"),
      alias("Any", tagged("kind", { A: ref("A"), B: ref("B") })),
    );
    expect(text).toContain('export const Any: z.ZodType<T.Any> = typed(tagged("kind", [A, B]));');
  });

  it("look first which member of a union is present", async () => {
    const variant = (name: string, mark: string): Decl =>
      objectOf(name, [field(mark, string, { required: true })]);
    const text = await zodOf(
      variant("A", "a"),
      variant("B", "b"),
      alias("Any", present({ a: ref("A"), b: ref("B") }, false)),
      alias("One", present({ a: ref("A"), b: ref("B") })),
    );
    expect(text).toMatch(/const Any: [^=]* = typed\(\s*choice\(\[\s*\["a", A\],\s*\["b", B\],\s*\]\),\s*\);/);
    expect(text).toMatch(
      /const One: [^=]* = typed\([^;]*\)\.superRefine\(members\(\["a", "b"\], 0\)\),?\s*\);/,
    );
  });

  it("say of a union by presence what is wrong with the form that was meant, once", () => {
    const issuesOf = (value: unknown): unknown[] | undefined =>
      GetTaskPushNotificationConfigInput.safeParse(value).error?.issues;
    expect(issuesOf({ id: "x", pushNotificationConfigId: "p", more: 1 })).toBeUndefined();
    expect(issuesOf({ id: "x" })).toBeUndefined();
    expect(issuesOf({ id: "x", pushNotificationConfigId: 5 })).toMatchObject([
      { code: "invalid_type", path: ["pushNotificationConfigId"] },
    ]);
    expect(issuesOf({ id: "" })).toMatchObject([{ code: "invalid_union" }]);
    expect(issuesOf("x")).toMatchObject([{ code: "invalid_union" }]);
  });

  it("carry the docs of the declarations", async () => {
    const card: Decl = { ...objectOf("Card", []), doc: "A card." };
    expect(await zodOf(card)).toContain("/** A card. */\nexport const Card");
  });

  it("work: values keep what is unknown, and a wrong one is pointed at", () => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi", extra: 1 }] };
    expect(Message.parse(message)).toEqual(message);
    expect(Part.safeParse({ text: "a", data: 1 }).error?.issues).toMatchObject([
      { message: "must have exactly one of text, raw, url, data", path: [] },
    ]);
    expect(Task.safeParse({ id: "t", status: { state: "TASK_STATE_FOO" } }).error?.issues).toMatchObject([
      { path: ["status", "state"] },
    ]);
  });
});
