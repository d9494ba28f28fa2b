import type { Decl, Field, JsonValue, Type } from "../ir/types.js";

/** `minimal`: what is required and nothing else. `full`: every member once. */
export type Extent = "minimal" | "full";

/** A JSON object in the making. */
export type Members = Readonly<Record<string, JsonValue>>;

/** Makes valid instances of the declarations of a model; the same ones every time. */
export interface Sampler {
  readonly decls: ReadonlyMap<string, Decl>;
  /** An instance of a type; `name` colours its texts. */
  value(type: Type, extent: Extent, name?: string): JsonValue;
  /** An instance of an object, with the first member of each required oneof unless `chosen` names another. */
  object(decl: Extract<Decl, { kind: "object" }>, extent: Extent, chosen?: string): Members;
}

const DEEPEST = 8;

/** A sampler over these declarations. */
export function createSampler(all: readonly Decl[]): Sampler {
  const decls = new Map(all.map((decl) => [decl.name, decl]));
  const declOf = (name: string): Decl => {
    const decl = decls.get(name);
    if (decl === undefined) throw new Error(`No declaration is named ${name}.`);
    return decl;
  };

  const value = (type: Type, extent: Extent, name: string, depth: number): JsonValue => {
    switch (type.kind) {
      case "scalar":
        return type.name === "string" ? text(name) : SCALARS[type.name];
      case "literal":
        return type.value;
      case "array":
        return extent === "minimal" && type.min === undefined
          ? []
          : [value(type.of, extent, name, depth + 1)];
      case "map":
        return extent === "minimal" ? {} : { key: value(type.of, extent, name, depth + 1) };
      case "union":
        return type.of[0] === undefined ? null : value(type.of[0], extent, name, depth);
      case "ref": {
        const decl = declOf(type.name);
        switch (decl.kind) {
          case "object":
            return object(decl, extent, undefined, depth + 1);
          case "alias":
            return value(decl.type, extent, name, depth + 1);
          case "enum":
            // Number 0 of a protobuf enum stands for "not set".
            return (decl.values.find(({ number }) => number !== 0) ?? decl.values[0])?.value ?? "";
        }
      }
    }
  };

  const object = (
    decl: Extract<Decl, { kind: "object" }>,
    extent: Extent,
    chosen: string | undefined,
    depth: number,
  ): Members => {
    // Past the depth of any real message only what is required is filled, so that a cycle ends.
    const all = extent === "full" && depth < DEEPEST;
    const grouped = decl.oneofs.flatMap(({ members }) => members);
    const picked = decl.oneofs.map(({ members, required }) =>
      chosen !== undefined && members.includes(chosen) ? chosen : required || all ? members[0] : undefined,
    );
    const wanted = (field: Field): boolean =>
      grouped.includes(field.name)
        ? picked.includes(field.name)
        : field.required || all || field.name === chosen;
    return Object.fromEntries(
      decl.fields
        .filter(wanted)
        .map((field) => [field.name, value(field.type, all ? extent : "minimal", field.name, depth)]),
    );
  };

  return {
    decls,
    value: (type, extent, name = "value") => value(type, extent, name, 0),
    object: (decl, extent, chosen) => object(decl, extent, chosen, 0),
  };
}

const text = (name: string): string => (/ur[il]$/i.test(name) ? `https://example.com/${name}` : `${name}-1`);

const SCALARS = {
  boolean: true,
  int32: 7,
  int64: "9007199254740993",
  integer: 7,
  number: 1.5,
  bytes: "aGVsbG8=",
  timestamp: "2025-01-31T12:00:00Z",
  json: { any: [1, "two", null] },
  struct: { key: "value" },
  null: null,
} as const;
