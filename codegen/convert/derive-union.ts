import type { Selector, Side } from "../../src/descriptor.js";
import type { Type } from "../ir/types.js";
import { InputFault } from "../load/fault.js";
import type { Derivation, Pair } from "./derive.js";
import type { UnionDraft, VariantDraft } from "./draft.js";
import type { Form } from "./form.js";

/** One side of a union: how it tells its variants, and what they are. */
interface Half {
  readonly selector: Selector;
  readonly variants: ReadonlyMap<string, Type>;
  /** The type that several marks stand for. */
  readonly typeOf: (marks: readonly string[]) => Type | undefined;
}

/** Which variants of two unions belong together: as declared, or by mark or type. */
export function deriveUnion(pair: Pair, derivation: Derivation): UnionDraft {
  const { declared, where } = pair;
  const older = halfOf(derivation.older, pair, "older");
  const newer = halfOf(derivation.newer, pair, "newer");
  const variants = declared.variants ?? derived(older, newer, derivation);
  const halves = { older, newer };
  const seen = { older: new Set<string>(), newer: new Set<string>() };
  const rules = variants.map((variant, index): VariantDraft => {
    const place = `${where}/variants/${String(index)}`;
    for (const side of ["older", "newer"] as const) {
      for (const mark of variant[side] ?? []) {
        if (!halves[side].variants.has(mark))
          throw new InputFault(`the ${side} union has no variant ${mark}`, place);
        if (seen[side].has(mark)) throw new InputFault(`${mark} has two partners`, place);
        seen[side].add(mark);
      }
    }
    const marks = {
      ...(variant.older === undefined ? {} : { older: variant.older }),
      ...(variant.newer === undefined ? {} : { newer: variant.newer }),
    };
    if (variant.older === undefined || variant.newer === undefined) return marks;
    const [one, two] = [older.typeOf(variant.older), newer.typeOf(variant.newer)];
    const { as } = variant;
    if (one === undefined || two === undefined) {
      if (as === undefined || !Object.hasOwn(derivation.declaration.types, as))
        throw new InputFault("stands for several types", place, "name an entry in `as`");
      return { ...marks, as: { is: "ref", name: as } };
    }
    return {
      ...marks,
      as: as === undefined ? derivation.pair(one, two, place) : derivation.named(as, one, two, `${place}/as`),
    };
  });
  for (const side of ["older", "newer"] as const) {
    for (const mark of halves[side].variants.keys()) {
      if (!seen[side].has(mark))
        throw new InputFault(
          `variant ${mark} of the ${side} union is neither mapped nor dropped`,
          where,
          "list the variants; one that names a single side is dropped",
        );
    }
  }
  return { is: "union", older: older.selector, newer: newer.selector, variants: rules };
}

function halfOf(form: Form, pair: Pair, side: Side): Half {
  const type = pair[side];
  const shape = form.shapeOf(type);
  if (shape.kind === "union" && shape.discrimination.by !== "order") {
    const how = shape.discrimination;
    const variants = new Map(
      how.by === "tag"
        ? how.variants.map(({ value, type: of }) => [value, of] as const)
        : how.variants.map(({ member, type: of }) => [member, of] as const),
    );
    return {
      selector: how.by === "tag" ? { tag: how.tag } : "member",
      variants,
      typeOf: ([mark = "", ...more]) => (more.length === 0 ? variants.get(mark) : undefined),
    };
  }
  if (shape.kind === "object" && shape.oneofs.length === 1 && type.kind === "ref") {
    const members = shape.oneofs[0]?.members ?? [];
    const inGroup = shape.fields.filter(({ name }) => members.includes(name));
    const isWrapper =
      inGroup.length === shape.fields.length && inGroup.every((field) => field.type.kind === "ref");
    const selector = pair.declared.selector[side] ?? (isWrapper ? "wrapper" : "member");
    const narrowed = (marks: readonly string[]): Type => ({
      kind: "ref",
      name: `${type.name}(${marks.join(",")})`,
    });
    return {
      selector,
      variants: new Map(
        inGroup.map((field) => [field.name, selector === "wrapper" ? field.type : narrowed([field.name])]),
      ),
      typeOf: (marks) => {
        if (selector === "member") return narrowed(marks);
        return marks.length === 1 ? inGroup.find(({ name }) => name === marks[0])?.type : undefined;
      },
    };
  }
  throw new InputFault(
    `the ${side} type is no union that tells its variants apart`,
    pair.where,
    "name the entry that it is in `as` or `input`",
  );
}

/** Variants with one mark, or whose types belong together. */
function derived(
  older: Half,
  newer: Half,
  derivation: Derivation,
): readonly { readonly older: string[]; readonly newer: string[]; readonly as?: undefined }[] {
  const byMark = JSON.stringify(older.selector) === JSON.stringify(newer.selector);
  return [...newer.variants].flatMap(([mark, type]) => {
    const partner = [...older.variants].find(([other, of]) =>
      byMark ? other === mark : derivation.belong(of, type),
    );
    return partner === undefined ? [] : [{ older: [partner[0]], newer: [mark] }];
  });
}
