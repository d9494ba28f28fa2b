import type {
  ConstantConversion,
  EnumConversion,
  ItemsConversion,
  HookConversion,
  MemberConversion,
  NotConversion,
  ObjectConversion,
  SameConversion,
  UnionConversion,
  VariantConversion,
  WrapConversion,
} from "../../src/descriptor.js";

/** An entry of the hop, by name. */
export interface RefDraft {
  readonly is: "ref";
  readonly name: string;
}

export type MemberDraft = Omit<MemberConversion, "as"> & { readonly as?: RuleDraft };
export type VariantDraft = Omit<VariantConversion, "as"> & { readonly as?: RuleDraft };
export type ItemsDraft = Omit<ItemsConversion, "of"> & { readonly of: RuleDraft };
export type WrapDraft = Omit<WrapConversion, "of" | "rest"> & {
  readonly of: RuleDraft;
  readonly rest?: readonly MemberDraft[];
};
export type ObjectDraft = Omit<ObjectConversion, "members"> & { readonly members: readonly MemberDraft[] };
export type UnionDraft = Omit<UnionConversion, "variants"> & { readonly variants: readonly VariantDraft[] };
export type HookDraft = Omit<HookConversion, "of"> & { readonly of?: RuleDraft };

/** A conversion rule in which entries stand as names. */
export type RuleDraft =
  | RefDraft
  | SameConversion
  | NotConversion
  | ConstantConversion
  | EnumConversion
  | ItemsDraft
  | WrapDraft
  | ObjectDraft
  | UnionDraft
  | HookDraft;

/** One named pair of types. */
export interface EntryDraft {
  readonly older: string;
  readonly newer: string;
  readonly rule: RuleDraft;
}

/** All of a hop, before it is written. */
export interface HopDraft {
  readonly older: string;
  readonly newer: string;
  /** A plain object, as everything in a model, which is written as JSON. */
  readonly types: Readonly<Record<string, EntryDraft>>;
  readonly methods: readonly {
    readonly older: string;
    readonly newer: string;
    readonly input: RuleDraft;
    readonly output: RuleDraft;
  }[];
}

/** The rule that copies nothing. */
export const SAME: SameConversion = { is: "same" };
