import { InputFault } from "../load/fault.js";
import type { Schema } from "../load/schema.js";
import type { Discrimination, Type } from "./types.js";

/** What the union rules need to see of the rest of the schema. */
export interface UnionContext {
  /** The definition behind a reference. */
  readonly definition: (name: string) => Schema | undefined;
  readonly typeOf: (schema: Schema) => Type;
  /** From the overlay: two members at once are refused. */
  readonly exclusive: boolean;
  readonly pointer: string;
}

interface Member {
  readonly schema: Schema;
  readonly type: Type;
}

/**
 * Finds how the members of a union are told apart, by the first rule that fits:
 * 1. a constant member that they all have with different values (one member without it is the rest);
 * 2. a member that is required in one and unknown to the others;
 * 3. of two objects of which one extends the other, the members that only the larger has;
 * 4. else by trying them in order.
 */
export function discriminate(members: readonly Schema[], context: UnionContext): Discrimination {
  const flat = flatten(members, context, []);
  return (
    byTag(flat) ??
    byRequiredMember(flat, context.exclusive) ??
    byExtension(flat, context.exclusive) ?? { by: "order" }
  );
}

/** Unions within the union are replaced by their members. */
function flatten(schemas: readonly Schema[], context: UnionContext, via: readonly string[]): Member[] {
  return schemas.flatMap((schema) => {
    const target = schema.ref === undefined ? schema : context.definition(schema.ref);
    if (target === undefined) throw new InputFault(`no definition ${schema.ref ?? ""}`, context.pointer);
    if (target.anyOf === undefined) return [{ schema: target, type: context.typeOf(schema) }];
    if (schema.ref !== undefined && via.includes(schema.ref)) {
      throw new InputFault(`the union ${schema.ref} contains itself`, context.pointer);
    }
    return flatten(target.anyOf, context, schema.ref === undefined ? via : [...via, schema.ref]);
  });
}

function byTag(members: readonly Member[]): Discrimination | undefined {
  const tags = new Set(members.flatMap(({ schema }) => Object.keys(schema.properties ?? {})));
  for (const tag of tags) {
    const tagged = members.filter(
      ({ schema }) => constantOf(schema, tag) !== undefined && isRequired(schema, tag),
    );
    const rest = members.filter((member) => !tagged.includes(member));
    const values = new Set(tagged.map(({ schema }) => constantOf(schema, tag)));
    if (tagged.length < 2 || values.size !== tagged.length || rest.length > 1) continue;
    return {
      by: "tag",
      tag,
      variants: tagged.map(({ schema, type }) => ({ value: constantOf(schema, tag) ?? "", type })),
      ...(rest[0] === undefined ? {} : { otherwise: rest[0].type }),
    };
  }
  return undefined;
}

function byRequiredMember(members: readonly Member[], exclusive: boolean): Discrimination | undefined {
  const variants = members.map((member) => {
    const others = members.filter((other) => other !== member);
    const mark = (member.schema.required ?? []).find((name) =>
      others.every(({ schema }) => schema.properties?.[name] === undefined),
    );
    return mark === undefined ? undefined : { member: mark, type: member.type };
  });
  const marked = variants.filter((variant) => variant !== undefined);
  return marked.length === members.length && marked.length > 1
    ? { by: "presence", variants: marked, exclusive }
    : undefined;
}

function byExtension(members: readonly Member[], exclusive: boolean): Discrimination | undefined {
  const [first, second] = members;
  if (first === undefined || second === undefined || members.length !== 2) return undefined;
  const size = (member: Member): number => Object.keys(member.schema.properties ?? {}).length;
  const [small, large] = size(first) <= size(second) ? [first, second] : [second, first];
  const base = small.schema.properties;
  const full = large.schema.properties;
  if (base === undefined || full === undefined) return undefined;
  const contained = Object.entries(base).every(
    ([name, schema]) => JSON.stringify(full[name]) === JSON.stringify(schema),
  );
  const extra = Object.keys(full).filter((name) => base[name] === undefined);
  if (!contained || extra.length === 0) return undefined;
  return {
    by: "presence",
    variants: extra.map((member) => ({ member, type: large.type })),
    exclusive,
    otherwise: small.type,
  };
}

function constantOf(schema: Schema, property: string): string | undefined {
  const value = schema.properties?.[property]?.const;
  return value === undefined ? undefined : String(value);
}

function isRequired(schema: Schema, property: string): boolean {
  return schema.required?.includes(property) === true;
}
