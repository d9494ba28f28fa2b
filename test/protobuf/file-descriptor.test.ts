import { fromBinary, fromJson, isFieldSet, toBinary } from "@bufbuild/protobuf";
import { FieldDescriptorProtoSchema, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseProto } from "../../codegen/load/proto.js";
import type { ProtoFacts } from "../../codegen/load/proto-facts.js";
import type { Json } from "../../src/descriptor.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { fileDescriptor } from "../../src/protobuf/file-descriptor.js";
import { haveOfficial, officialText } from "../codegen/official-files.js";
import { canonical } from "../codec/arbitrary.js";
import { otherImplementation } from "./other-implementation.js";
import { spoken, type Spoken } from "./messages.js";

const { oneofIndex } = FieldDescriptorProtoSchema.field;
const LABELS: Readonly<Record<string, number>> = { repeated: 3, map: 3 };

describe.each(spoken)("the proto file of $name, made of its tables", (version: Spoken) => {
  const described = fileDescriptor(version.grpc);
  const file = fromBinary(FileDescriptorProtoSchema, described.bytes);
  const pkg = version.model.service.package ?? "";

  it("names its package, what it imports, and the service with its methods", () => {
    expect([file.package, file.name, file.syntax]).toEqual([
      pkg,
      `${pkg.replaceAll(".", "/")}/service.proto`,
      "proto3",
    ]);
    expect(file.dependency).toEqual([
      "google/protobuf/empty.proto",
      "google/protobuf/struct.proto",
      "google/protobuf/timestamp.proto",
    ]);
    expect(described.symbols).toContain(`${pkg}.A2AService`);
    expect(described.symbols).toContain(`${pkg}.TaskState`);
    const methods = file.service[0]?.method.map((method) => [method.name, method.serverStreaming]);
    expect(methods).toEqual(
      Object.values(version.grpc.methods).map((method) => [method.name, method.serverStream]),
    );
  });

  const isThere = haveOfficial(`the descriptor of ${version.name}`);
  it.skipIf(!isThere)("has the fields of the official file", () => {
    const official: ProtoFacts = parseProto(officialText(version.model.release, "a2a.proto"));
    for (const { name, fields } of official.messages) {
      const own = file.messageType.find((message) => message.name === name);
      if (own === undefined) throw new Error(`no message ${name}`);
      for (const field of fields) {
        const found = own.field.find(({ number }) => number === field.number);
        expect(found, `${name}.${field.name}`).toMatchObject({
          name: field.name,
          jsonName: field.json,
          label: LABELS[field.label ?? ""] ?? 1,
          proto3Optional: field.label === "optional",
        });
        const inGroup = found !== undefined && !found.proto3Optional && isFieldSet(found, oneofIndex);
        const group = inGroup ? own.oneofDecl[found.oneofIndex]?.name : undefined;
        expect(group, `${name}.${field.name}`).toBe(field.oneof);
      }
    }
  });

  const other = otherImplementation(version.grpc);
  it.each(version.messages)(
    "$name is written and read by another implementation as here",
    ({ wire, table }) => {
      const message = other(wire.name);
      fc.assert(
        fc.property(canonical(table), (value) => {
          const plain = JSON.parse(JSON.stringify(value)) as Json;
          const theirs = toBinary(message, fromJson(message, plain));
          const ours = encodeMessage(wire, plain);
          expect(Buffer.from(ours).toString("hex")).toBe(Buffer.from(theirs).toString("hex"));
          expect(Buffer.from(toBinary(message, fromBinary(message, ours)))).toEqual(Buffer.from(ours));
          expect(decodeMessage(wire, theirs)).toEqual(decodeMessage(wire, ours));
        }),
        { numRuns: 20 },
      );
    },
  );
});
