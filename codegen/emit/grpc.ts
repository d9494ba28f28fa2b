import { EMPTY } from "../ir/decls.js";
import type { Decl, Field, Method, Model, Type } from "../ir/types.js";
import { visitDecl } from "../ir/visit.js";
import { wireTypeOf } from "../ir/wire-facts.js";
import { InputFault } from "../load/fault.js";
import { byName } from "../load/stable-json.js";
import { object, quote } from "./code.js";
import { createFile, type EmitFile } from "./file.js";
import { header } from "./header.js";
import { resolveAlias } from "./order.js";
import type { Target } from "./target.js";

type Named = Exclude<Decl, { kind: "alias" }>;

/** What the messages of one module share. */
interface Scope {
  readonly model: Model;
  readonly decls: ReadonlyMap<string, Decl>;
}

/**
 * `grpc.ts`: the service and its messages as protobuf has them; undefined for a version that has no gRPC, or whose field
 * numbers are not known. Throws {@link InputFault} for a type that the wire tables cannot say.
 */
export function emitGrpc(model: Model, target: Target): string | undefined {
  if (!hasGrpc(model)) return undefined;
  const scope = scopeOf(model);
  const methods = grpcMethods(model);
  const used = usedBy(methods, scope);
  const file = createFile();
  for (const { name } of used) file.declare(name);
  const service = file.local("grpc");
  for (const decl of used) emitNamed(decl, file, target, scope);
  file.constant({
    name: service,
    type: file.use(target.seam, "GrpcService"),
    doc: `A2A ${model.version} as a service of gRPC.`,
    value: object([
      ["name", quote(`${model.service.package}.${model.service.name}`)],
      ["methods", object(methods.map((method) => [method.key, methodText(method, scope)]))],
    ]),
  });
  return file.text(header(model, target));
}

/** Whether the binary form of a version is known: methods of gRPC, and a number for each field of what they say. */
export function hasGrpc(model: Model): boolean {
  const methods = grpcMethods(model);
  if (methods.length === 0 || model.service.package === undefined) return false;
  const messages = usedBy(methods, scopeOf(model)).filter((decl) => decl.kind === "object");
  return messages.every(({ fields }) => fields.every(({ number }) => number !== undefined));
}

const grpcMethods = ({ methods }: Model): readonly Method[] =>
  methods.filter((method) => method.grpc !== undefined);

const scopeOf = (model: Model): Scope => ({
  model,
  decls: new Map(model.decls.map((decl) => [decl.name, decl])),
});

/** What the methods say, by name. */
function usedBy(methods: readonly Method[], scope: Scope): readonly Named[] {
  const seen = new Map<string, Named>();
  const visit = (type: Type): void => {
    if (type.kind !== "ref") return;
    const decl = named(type.name, scope);
    if (seen.has(decl.name)) return;
    seen.set(decl.name, decl);
    visitDecl(decl, visit);
  };
  for (const { input, output } of methods) {
    visit(input);
    visit(output);
  }
  return [...seen.values()].sort((a, b) => byName(a.name, b.name));
}

function named(name: string, { decls, model }: Scope): Named {
  const decl = decls.get(resolveAlias(name, decls));
  if (decl === undefined || decl.kind === "alias")
    throw new InputFault(`${name} is neither a message nor an enum`, model.source.file);
  return decl;
}

const fullName = (decl: Named, { model }: Scope): string =>
  decl.pointer === EMPTY ? EMPTY : `${model.service.package ?? ""}.${decl.name}`;

function emitNamed(decl: Named, file: EmitFile, target: Target, scope: Scope): void {
  const name = quote(fullName(decl, scope));
  if (decl.kind === "enum") {
    const values = decl.values.map(({ value, number }) => [value, String(number ?? 0)] as const);
    const type = file.use(target.seam, "WireEnum");
    file.constant({
      name: decl.name,
      type,
      value: object([
        ["name", name],
        ["values", object(values)],
      ]),
    });
    return;
  }
  const fields = [...decl.fields].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  const texts = fields.map((field) => fieldText(field, decl, scope));
  const type = file.use(target.seam, "WireMessage");
  const list = texts.length === 0 ? "[]" : `[${texts.join(", ")}]`;
  file.constant({
    name: decl.name,
    type,
    value: object([
      ["name", name],
      ["fields", list],
    ]),
  });
}

function fieldText(field: Field, decl: Extract<Decl, { kind: "object" }>, scope: Scope): string {
  const { name, number, type, presence } = field;
  const group = decl.oneofs.find(({ members }) => members.includes(name));
  const one = type.kind === "array" || type.kind === "map" ? type.of : type;
  const wire = valueType(field, one, scope);
  const isScalar = one.kind === "scalar" && !WELL_KNOWN.has(wire.type);
  const isEnum = wire.type === "enum";
  return object([
    ["no", String(number)],
    ["name", quote(name)],
    ["proto", field.protoName === undefined ? undefined : quote(field.protoName)],
    ["type", quote(wire.type)],
    ["of", wire.of === undefined ? undefined : `() => ${wire.of}`],
    ["repeated", type.kind === "array" ? "true" : undefined],
    ["key", type.kind === "map" ? quote(scalar(field.wireKey ?? "string", field)) : undefined],
    ["optional", presence === "explicit" && group === undefined && (isScalar || isEnum) ? "true" : undefined],
    ["oneof", group === undefined ? undefined : quote(group.name)],
    ["always", isAlways(field) ? "true" : undefined],
  ]);
}

/** Required, and its default is a value: a blank that is refused, or a list that must not be empty, is better left out. */
const isAlways = ({ required, presence, blank, type }: Field): boolean =>
  required &&
  presence === "implicit" &&
  blank === "value" &&
  !(type.kind === "array" && type.min !== undefined);

function valueType(field: Field, type: Type, scope: Scope): { type: string; of?: string } {
  if (type.kind === "ref") {
    const decl = named(type.name, scope);
    if (field.wire !== undefined && field.wire !== type.name) throw unsayable(field);
    return { type: decl.kind === "enum" ? "enum" : "message", of: decl.name };
  }
  const wire = field.wire ?? wireTypeOf(type);
  if (wire === undefined) throw unsayable(field);
  return { type: KNOWN.get(wire) ?? scalar(wire, field) };
}

/** The messages of `google.protobuf` that fields may have. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ["google.protobuf.Timestamp", "timestamp"],
  ["google.protobuf.Struct", "struct"],
  ["google.protobuf.Value", "value"],
  ["google.protobuf.ListValue", "listValue"],
]);
const WELL_KNOWN: ReadonlySet<string> = new Set(KNOWN.values());

const SCALARS = /^(?:string|bytes|bool|double|float|u?int(?:32|64)|sint(?:32|64)|s?fixed(?:32|64))$/;

function scalar(wire: string, field: Field): string {
  if (!SCALARS.test(wire)) throw unsayable(field);
  return wire;
}

const unsayable = ({ wire, pointer }: Field): InputFault =>
  new InputFault(
    `has the protobuf type ${wire ?? "of nothing"}, which the tables of gRPC cannot say`,
    pointer,
  );

function methodText({ grpc, kind, input, output }: Method, scope: Scope): string {
  const message = (type: Type): string => {
    if (type.kind !== "ref") throw new InputFault(`${grpc ?? ""} has no message`, scope.model.source.file);
    return named(type.name, scope).name;
  };
  return object([
    ["name", quote(grpc ?? "")],
    ["input", message(input)],
    ["output", message(output)],
    ["serverStream", String(kind === "serverStream")],
  ]);
}
