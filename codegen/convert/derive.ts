import type { Field, Type } from "../ir/types.js";
import type { Side } from "../../src/descriptor.js";
import { InputFault } from "../load/fault.js";
import type { Declaration, TypeDeclaration } from "./declaration.js";
import { deriveEnum } from "./derive-enum.js";
import { deriveMethods } from "./derive-methods.js";
import { deriveObject } from "./derive-object.js";
import { deriveUnion } from "./derive-union.js";
import { deriveWrap } from "./derive-wrap.js";
import { SAME, type EntryDraft, type HopDraft, type RuleDraft } from "./draft.js";
import type { Form } from "./form.js";

/** What the parts of a derivation share. */
export interface Derivation {
  readonly declaration: Declaration;
  readonly older: Form;
  readonly newer: Form;
  readonly hooks: ReadonlySet<string>;
  /** The rule for two types; `where` is the place that a fault names. */
  pair(older: Type, newer: Type, where: string): RuleDraft;
  /** Whether two types are declared as a pair, or have one name. */
  belong(older: Type, newer: Type): boolean;
  /** A rule by the name that a declaration gives it: an entry, `not`, or a hook. */
  named(name: string, older: Type, newer: Type, where: string): RuleDraft;
}

/** A pair of types with what is declared about it. */
export interface Pair {
  readonly older: Type;
  readonly newer: Type;
  readonly declared: TypeDeclaration;
  readonly where: string;
}

/** A declaration without a word. */
const NOTHING: TypeDeclaration = {
  members: {},
  drop: {},
  constants: {},
  names: {},
  hooks: [],
  values: {},
  nearest: {},
  refuse: {},
  selector: {},
};

/** All rules of a hop: those that are declared, and those that follow from the schemas. */
export function deriveHop(
  declaration: Declaration,
  file: string,
  older: Form,
  newer: Form,
  hooks: ReadonlySet<string>,
): HopDraft {
  const entries = new Map<string, EntryDraft>();
  const pairs = new Map<string, string>();
  const key = (one: Type, two: Type): string => `${older.keyOf(one)} ${newer.keyOf(two)}`;

  const declared = Object.entries(declaration.types).map(([name, entry]) => {
    const where = `${file}#/types/${name}`;
    const types = {
      older: older.typeOf(entry.older ?? name, `${where}/older`),
      newer: newer.typeOf(entry.newer ?? name, `${where}/newer`),
    };
    const known = pairs.get(key(types.older, types.newer));
    if (known !== undefined) throw new InputFault(`is the same pair of types as ${known}`, where, "keep one");
    pairs.set(key(types.older, types.newer), name);
    return { name, entry, where, ...types };
  });

  const derivation: Derivation = {
    declaration,
    older,
    newer,
    hooks,
    pair(one, two, where) {
      const name = pairs.get(key(one, two));
      if (name !== undefined) return { is: "ref", name };
      return structural(one, two, where);
    },
    belong(one, two) {
      if (pairs.has(key(one, two))) return true;
      return one.kind === "ref" && two.kind === "ref" && older.keyOf(one) === newer.keyOf(two);
    },
    named(name, one, two, where) {
      if (name === "not") return { is: "not" };
      if (Object.hasOwn(declaration.types, name)) return { is: "ref", name };
      if (hooks.has(name)) return { is: "hook", hook: name };
      if (newer.keyOf(two) === name && older.keyOf(one) === name) return derivation.pair(one, two, where);
      throw new InputFault(`${name} is neither an entry under types nor a hook`, where);
    },
  };

  /** A pair that nobody declared: named types get an entry, others are compared on the spot. */
  function structural(one: Type, two: Type, where: string): RuleDraft {
    const shape = older.shapeOf(one);
    const other = newer.shapeOf(two);
    const isNamed =
      ["object", "enum", "union"].includes(shape.kind) && one.kind === "ref" && two.kind === "ref";
    if (isNamed) {
      const name = newer.keyOf(two);
      if (older.keyOf(one) !== name)
        throw new InputFault(
          `A2A ${older.model.version} has ${older.keyOf(one)} where A2A ${newer.model.version} has ${name}`,
          where,
          `say under types that they belong together: "${name}": { "older": "${older.keyOf(one)}" }`,
        );
      if (Object.hasOwn(declaration.types, name))
        throw new InputFault(`${name} is declared for other types`, where, "give that entry another name");
      pairs.set(key(one, two), name);
      define(name, { older: one, newer: two, declared: NOTHING, where: `${file}#/types/${name}` });
      return { is: "ref", name };
    }
    if (shape.kind === "array" && other.kind === "array") {
      const of = derivation.pair(shape.of, other.of, where);
      const filled = onlyOne(shape.min === 1, other.min === 1);
      return of.is === "same" && filled === undefined
        ? SAME
        : { is: "items", of, ...(filled === undefined ? {} : { filled }) };
    }
    if (shape.kind === "map" && other.kind === "map") {
      const of = derivation.pair(shape.of, other.of, where);
      return of.is === "same" ? SAME : { is: "items", of };
    }
    if (shape.kind === "union" && other.kind === "union")
      return deriveUnion({ older: one, newer: two, declared: NOTHING, where }, derivation);
    if (shape.kind === "scalar" && other.kind === "scalar") {
      if (shape.name === other.name) return SAME;
      if ([shape.name, other.name].sort().join() === "int32,integer") return { is: "hook", hook: "int32" };
    }
    if (shape.kind === "literal" && other.kind === "literal" && shape.value === other.value) return SAME;
    throw new InputFault(
      `${text(shape)} and ${text(other)} do not fit each other`,
      where,
      "name a hook or an entry in `as`",
    );
  }

  function define(name: string, pair: Pair): void {
    // Known before it is derived, so that a type may hold itself.
    entries.set(name, { older: "", newer: "", rule: SAME });
    const rule = ruleOf(pair);
    const { declared } = pair;
    entries.set(name, { older: declared.older ?? name, newer: declared.newer ?? name, rule });
  }

  function ruleOf(pair: Pair): RuleDraft {
    const { declared, where } = pair;
    const shape = older.shapeOf(pair.older);
    const other = newer.shapeOf(pair.newer);
    if (declared.constant !== undefined) return { is: "constant", ...declared.constant };
    if (declared.as !== undefined)
      return derivation.named(declared.as, pair.older, pair.newer, `${where}/as`);
    if (declared.wrap !== undefined) return deriveWrap(pair, declared.wrap, derivation);
    if (shape.kind === "enum" && other.kind === "enum") return deriveEnum(shape.values, other.values, pair);
    const isUnion = shape.kind === "union" || other.kind === "union" || declared.variants !== undefined;
    const plain = isUnion
      ? deriveUnion(pair, derivation)
      : shape.kind === "object" && other.kind === "object"
        ? deriveObject(pair, derivation)
        : structural(pair.older, pair.newer, where);
    return declared.hooks.reduceRight<RuleDraft>((of, { hook }, index) => {
      if (!hooks.has(hook))
        throw new InputFault(`there is no hook ${hook}`, `${where}/hooks/${String(index)}/hook`);
      return { is: "hook", hook, of };
    }, plain);
  }

  for (const { name, entry, where, ...types } of declared) define(name, { ...types, declared: entry, where });
  const methods = deriveMethods(derivation, file);
  return { older: declaration.older, newer: declaration.newer, types: Object.fromEntries(entries), methods };
}

/** The side on which something holds, where it is one. */
export const onlyOne = (older: boolean, newer: boolean): Side | undefined =>
  older === newer ? undefined : older ? "older" : "newer";

const text = (shape: { readonly kind: string; readonly name?: string }): string => shape.name ?? shape.kind;

/** Whether a default of the field is the same as its absence. */
export const isLean = ({ presence, required, type }: Field): boolean =>
  presence === "implicit" && !required && type.kind !== "literal";
