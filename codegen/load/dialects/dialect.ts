import type { Schema } from "../schema.js";

/** A JSON value of an official file that has been checked to be an object. */
export type Raw = Readonly<Record<string, unknown>>;

/** What differs between the bundle styles; everything else is read by one walker. */
export interface Dialect {
  readonly encoding: "proto-json" | "json";
  /** The definitions by their final names. */
  readonly definitions: ReadonlyMap<string, { readonly node: Raw; readonly pointer: string }>;
  /** What a `$ref` stands for: a reference to a definition, or the form of a well-known type. */
  resolve(ref: string, pointer: string): Schema;
  /** Rewrites a node that has a special meaning in this style; nothing means "read it as usual". */
  special?(node: Raw, pointer: string, hoist: Hoist): Schema | undefined;
}

/** Adds a definition for something that the file writes inline, and returns the reference to it. */
export type Hoist = (name: string, schema: Schema, pointer: string) => Schema;
