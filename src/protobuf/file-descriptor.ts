import type { GrpcService, WireEnum, WireField, WireMessage, WireType } from "../descriptor.js";
import { FileDescriptor } from "./descriptor-messages.js";
import { encodeMessage } from "./encode-message.js";
import { describeMessage } from "./describe-message.js";

/** A proto file as reflection hands it out. */
export interface DescribedFile {
  /** `lf/a2a/v1/service.proto` */
  readonly name: string;
  /** Full names of its services, messages and enums. */
  readonly symbols: readonly string[];
  /** Files of `google/protobuf` that it imports; every reader of descriptors has them. */
  readonly dependencies: readonly string[];
  /** A `google.protobuf.FileDescriptorProto`. */
  readonly bytes: Uint8Array;
}

const GOOGLE = "google.protobuf.";

/**
 * The proto file of a service, made of its wire tables: what server reflection answers with. It has the messages that the
 * service uses, and no comments, HTTP rules or other options.
 */
export function fileDescriptor(service: GrpcService): DescribedFile {
  const { messages, enums, imports } = partsOf(service);
  const pkg = service.name.slice(0, service.name.lastIndexOf("."));
  const local = (name: string): string => name.slice(pkg.length + 1);
  const name = `${pkg.replaceAll(".", "/")}/service.proto`;
  const bytes = encodeMessage(FileDescriptor, {
    name,
    package: pkg,
    dependency: imports,
    messageType: messages.map((message) => describeMessage(message, local(message.name))),
    enumType: enums.map(({ name: of, values }) => ({
      name: local(of),
      value: Object.entries(values).map(([value, number]) => ({ name: value, number })),
    })),
    service: [
      {
        name: local(service.name),
        method: Object.values(service.methods).map((method) => ({
          name: method.name,
          inputType: `.${method.input.name}`,
          outputType: `.${method.output.name}`,
          serverStreaming: method.serverStream,
        })),
      },
    ],
    syntax: "proto3",
  });
  const symbols = [service.name, ...[...messages, ...enums].map((one) => one.name)];
  return { name, symbols, dependencies: imports, bytes };
}

interface Parts {
  readonly messages: readonly WireMessage[];
  readonly enums: readonly WireEnum[];
  readonly imports: readonly string[];
}

/** Everything that the methods of a service name, by name. */
function partsOf({ methods }: GrpcService): Parts {
  const messages = new Map<string, WireMessage>();
  const enums = new Map<string, WireEnum>();
  const imports = new Set<string>();
  const visitField = (field: WireField): void => {
    const file = IMPORTS[field.type];
    if (file !== undefined) imports.add(`google/protobuf/${file}.proto`);
    if (field.type === "message") visit(field.of());
    if (field.type === "enum") enums.set(field.of().name, field.of());
  };
  const visit = (message: WireMessage): void => {
    if (messages.has(message.name)) return;
    if (message.name.startsWith(GOOGLE)) {
      imports.add(`google/protobuf/${message.name.slice(GOOGLE.length).toLowerCase()}.proto`);
      return;
    }
    messages.set(message.name, message);
    message.fields.forEach(visitField);
  };
  for (const { input, output } of Object.values(methods)) [input, output].forEach(visit);
  const byName = <T extends { readonly name: string }>(all: ReadonlyMap<string, T>): readonly T[] =>
    [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { messages: byName(messages), enums: byName(enums), imports: [...imports].sort() };
}

/** Files of the messages that have JSON of their own. */
const IMPORTS: Readonly<Partial<Record<WireType["type"], string>>> = {
  timestamp: "timestamp",
  struct: "struct",
  value: "struct",
  listValue: "struct",
};
