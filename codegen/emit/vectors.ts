import type { Decl, Field, Model } from "../ir/types.js";
import { stableJson } from "../load/stable-json.js";
import type { Output } from "./output.js";
import { reachable } from "./reachable.js";
import { createSampler } from "./sample.js";
import { createWriter, TABLE, type Writer } from "./vector.js";
import { admitsNull, without, writeEnum, writeType } from "./vector-types.js";

type ObjectDecl = Extract<Decl, { kind: "object" }>;

/** One file of valid and invalid instances for each type that goes over the wire. */
export function emitVectors(model: Model): Output {
  const sampler = createSampler(model.decls);
  return new Map(
    reachable(model).map((name) => {
      const writer = createWriter(sampler);
      const decl = sampler.decls.get(name);
      if (decl?.kind === "enum") writeEnum(decl, writer);
      if (decl?.kind === "alias") writeType(decl.type, name, writer);
      if (decl?.kind === "object") writeObject(decl, writer);
      return [`${name}.json`, stableJson(writer.vectors)];
    }),
  );
}

function writeObject(decl: ObjectDecl, writer: Writer): void {
  const { add, sampler } = writer;
  const { name } = decl;
  const minimal = sampler.object(decl, "minimal");
  const extra = { ...minimal, "x-unknown": 1 };
  add({ rule: "minimal", valid: true, value: minimal, why: `The least of a ${name}.` });
  add({ rule: "full", valid: true, value: sampler.object(decl, "full"), why: `Every member of a ${name}.` });
  add({ rule: "unknown-member", valid: true, value: extra, why: "Unknown members are let be." });
  add({ rule: "not-an-object", valid: false, value: "text", why: `${name} is an object.` });
  add({ rule: "not-an-object", valid: false, value: [], why: `${name} is an object, not an array.` });
  for (const oneof of decl.oneofs) writeOneof(decl, oneof, writer);
  for (const field of decl.fields) {
    writePresence(decl, field, writer);
    const rest = without(sampler.object(decl, "minimal", field.name), field.name);
    const inner = writer.within(field.name, (value) => ({ ...rest, [field.name]: value }));
    writeType(field.type, `${name}.${field.name}`, inner, field.required);
  }
}

function writeOneof(
  decl: ObjectDecl,
  { name, members, required }: ObjectDecl["oneofs"][number],
  writer: Writer,
): void {
  const { add, sampler } = writer;
  const choose = (member: string) => sampler.object(decl, "minimal", member);
  for (const member of members)
    add({
      rule: "oneof-member",
      valid: true,
      at: member,
      value: choose(member),
      why: `A choice of ${name}.`,
    });
  const [first = "", second] = members;
  if (second !== undefined) {
    const value = { ...choose(first), ...choose(second) };
    add({
      rule: "oneof-two",
      valid: false,
      value,
      why: `${name} has one member, not ${first} and ${second}.`,
    });
  }
  const none = without(choose(first), first);
  const why = required ? `${name} must have one member.` : `${name} may be empty.`;
  add({ rule: "oneof-none", valid: !required, value: none, why });
}

/** Whether and under which names a member may be there, and what null and `""` mean. */
function writePresence(decl: ObjectDecl, field: Field, { add, sampler }: Writer): void {
  const { name } = field;
  const rest = without(sampler.object(decl, "minimal", name), name);
  const sample = sampler.value(field.type, "minimal", name);
  const needed =
    field.required || decl.oneofs.some(({ members, required }) => required && members.includes(name));
  if (field.required)
    add({ rule: "required", valid: false, at: name, value: rest, why: `${decl.name}.${name} is REQUIRED.` });
  const [alias] = field.aliases;
  if (alias !== undefined) {
    const once = { ...rest, [alias]: sample };
    const twice = { ...once, [name]: sample };
    const layers = needed ? { layers: TABLE } : {};
    add({
      rule: "alias",
      valid: true,
      at: alias,
      value: once,
      why: `${alias} is read as ${name}.`,
      ...layers,
    });
    const why = `${name} in two spellings; a schema takes ${alias} for an unknown member.`;
    add({ rule: "alias-twice", valid: false, at: alias, value: twice, why, layers: TABLE });
  }
  if (!admitsNull(field.type, sampler.decls)) {
    const valid = decl.proto && !needed;
    const why = valid
      ? `null is the same as no ${name}; the canonical form has none.`
      : `${name} cannot be null.`;
    const layers = valid ? { layers: TABLE } : {};
    add({ rule: "null", valid, at: name, value: { ...rest, [name]: null }, why, ...layers });
  }
  if (field.blank === "value") return;
  const valid = field.blank === "absent";
  const why = valid ? `An empty ${name} is the same as none.` : `${name} must not be empty.`;
  add({ rule: "blank", valid, at: name, value: { ...rest, [name]: "" }, why });
}
