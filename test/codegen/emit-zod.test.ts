import { describe, expect, it } from "vitest";
import { format } from "../../codegen/emit/format.js";
import { INTERNAL } from "../../codegen/emit/target.js";
import { emitZod } from "../../codegen/emit/zod.js";
import type { Decl } from "../../codegen/ir/types.js";
import { Message, Part, Task } from "../../generated/v1.0/zod.js";
import {
  alias,
  array,
  field,
  literal,
  map,
  modelOf,
  objectOf,
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
