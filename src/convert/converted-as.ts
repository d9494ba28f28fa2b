import type { ConvertedTypes } from "../versions/conversions.js";

type Line = keyof ConvertedTypes;

/** A version, or one of its releases: `0.3`, `0.3.0`. */
type NameOf<L extends Line> = L | `${L}.${number}`;

/** A version that converts, or a release of one. */
export type VersionName = { [L in Line]: NameOf<L> }[Line];

/** The name of a type that converts. */
export type TypeName = { [L in Line]: keyof ConvertedTypes[L] }[Line];

/** The type of a value in a version; `unknown` where the names of version and type are not known beforehand. */
export type ConvertedAs<Type extends string, Version extends string> = [Found<Type, Version>] extends [never]
  ? unknown
  : Found<Type, Version>;

type Found<Type extends string, Version extends string> = Version extends string
  ? {
      [L in Line]: Version extends NameOf<L>
        ? Type extends keyof ConvertedTypes[L]
          ? ConvertedTypes[L][Type]
          : never
        : never;
    }[Line]
  : never;
