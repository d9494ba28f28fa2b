import type { Decl, Discrimination, JsonValue, Type } from "../ir/types.js";
import type { Members, Sampler } from "./sample.js";
import { SCALAR_CASES } from "./vector-scalars.js";
import { createWriter, TABLE, type Writer } from "./vector.js";

/** Cases of a use of a type; `owner` names it, `required` says whether "not set" is one of its values. */
export function writeType(type: Type, owner: string, writer: Writer, required = false): void {
  const { add, within, sampler } = writer;
  switch (type.kind) {
    case "scalar":
      SCALAR_CASES[type.name].forEach(add);
      return;
    case "literal": {
      const value = typeof type.value === "string" ? `${type.value}-other` : 0.5;
      add({
        rule: "constant",
        valid: false,
        value,
        why: `${owner} is always ${JSON.stringify(type.value)}.`,
      });
      return;
    }
    case "array": {
      const valid = type.min === undefined;
      const why = `${owner} ${valid ? "may be empty" : "has at least one element"}.`;
      add({ rule: "not-a-list", valid: false, value: "text", why: `${owner} is a list.` });
      add({ rule: "empty-list", valid, value: [], why });
      writeType(
        type.of,
        owner,
        within("[0]", (value) => [value]),
      );
      return;
    }
    case "map":
      add({ rule: "not-a-map", valid: false, value: ["text"], why: `${owner} is an object.` });
      writeType(
        type.of,
        owner,
        within("key", (value) => ({ key: value })),
      );
      return;
    case "union":
      writeUnion(type, owner, writer);
      return;
    case "ref": {
      const decl = sampler.decls.get(type.name);
      if (decl?.kind === "enum") writeEnum(decl, writer, required);
      // The declaration has cases of its own; here it matters that it is looked at.
      else add({ rule: "nested", valid: false, value: "text", why: `${owner} is a ${type.name}.` });
    }
  }
}

/** Cases of an enum. */
export function writeEnum(
  { name, values }: Extract<Decl, { kind: "enum" }>,
  { add }: Writer,
  required = false,
): void {
  add({ rule: "enum-unknown", valid: false, value: "NO_SUCH_VALUE", why: `No ${name} is called that.` });
  add({ rule: "enum-type", valid: false, value: true, why: `${name} is a name.` });
  const set = values.find(({ number }) => number !== undefined && number !== 0);
  if (set?.number !== undefined) {
    const why = `ProtoJSON reads ${String(set.number)} as ${set.value}; canonical is the name.`;
    add({ rule: "enum-number", valid: true, value: set.number, why, layers: TABLE });
  }
  const unset = values.find(({ number }) => number === 0);
  if (unset !== undefined && required) {
    const why = `${unset.value} is "not set", which a REQUIRED member of a request cannot be; in a reply it is a value.`;
    add({ rule: "enum-unset", valid: false, value: unset.value, why, layers: TABLE });
  }
}

function writeUnion(
  { of, discrimination }: Extract<Type, { kind: "union" }>,
  owner: string,
  writer: Writer,
): void {
  const { add, sampler } = writer;
  const minimal = (type: Type | undefined): JsonValue =>
    type === undefined ? null : sampler.value(type, "minimal");
  of.forEach((type, index) => {
    const why = `One of the forms of ${owner}.`;
    add({ rule: "variant", valid: true, at: `[${String(index)}]`, value: minimal(type), why });
  });
  if (discrimination.by === "presence") writePresent(discrimination, owner, writer);
  if (discrimination.by === "order" || discrimination.otherwise !== undefined) return;
  if (discrimination.by === "tag") {
    const { tag } = discrimination;
    const rest = without(membersOf(minimal(of[0])), tag);
    const other = { ...rest, [tag]: "no-such-kind" };
    add({
      rule: "tag-missing",
      valid: false,
      at: tag,
      value: rest,
      why: `${tag} tells the forms of ${owner} apart.`,
    });
    add({
      rule: "tag-unknown",
      valid: false,
      at: tag,
      value: other,
      why: `No form of ${owner} has that ${tag}.`,
    });
    return;
  }
  const { variants, exclusive } = discrimination;
  const names = variants.map(({ member }) => member).join(" or ");
  add({ rule: "choice-none", valid: false, value: {}, why: `${owner} needs ${names}.` });
  const both = variants.slice(0, 2).map(({ type }) => membersOf(minimal(type)));
  if (!exclusive || both.length < 2) return;
  const value: Members = { ...both[0], ...both[1] };
  add({ rule: "choice-two", valid: false, value, why: `${owner} has only one of ${names}.` });
}

/** The member that is present says which form holds, even where another form would let it be. */
function writePresent(
  { variants, otherwise }: Extract<Discrimination, { by: "presence" }>,
  owner: string,
  { add, sampler }: Writer,
): void {
  variants.forEach(({ member, type }, index) => {
    // A form whose own mark comes later leaves the choice to this one.
    const other = otherwise ?? variants[index + 1]?.type;
    const wrong = wrongValue(memberType(type, member, sampler.decls), sampler);
    if (other === undefined || wrong === undefined) return;
    const value = { ...membersOf(sampler.value(other, "minimal")), [member]: wrong };
    const why = `Where ${member} is present, it decides the form of ${owner} and must fit it.`;
    add({ rule: "present-type", valid: false, at: member, value, why });
  });
}

/** The type of a member of an object, by whatever name it goes. */
function memberType(type: Type | undefined, member: string, decls: Sampler["decls"]): Type | undefined {
  const decl = type?.kind === "ref" ? decls.get(type.name) : undefined;
  if (decl?.kind === "alias") return memberType(decl.type, member, decls);
  return decl?.kind === "object" ? decl.fields.find(({ name }) => name === member)?.type : undefined;
}

/** A value that no layer takes for this type; undefined where there is none. */
function wrongValue(type: Type | undefined, sampler: Sampler): JsonValue | undefined {
  if (type === undefined) return undefined;
  const { vectors, ...writer } = createWriter(sampler);
  writeType(type, "", writer);
  return vectors.find(({ valid, layers }) => !valid && layers === undefined)?.value;
}

/** An object without one member. */
export const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));

const membersOf = (value: JsonValue): Members =>
  typeof value === "object" && value !== null && !isList(value) ? value : {};

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Whether null is a value of a type. */
export function admitsNull(type: Type, decls: Sampler["decls"]): boolean {
  if (type.kind === "scalar") return type.name === "null" || type.name === "json";
  if (type.kind === "union") return type.of.some((option) => admitsNull(option, decls));
  const decl = type.kind === "ref" ? decls.get(type.name) : undefined;
  return decl?.kind === "alias" && admitsNull(decl.type, decls);
}
