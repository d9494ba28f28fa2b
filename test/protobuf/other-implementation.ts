import { create, createFileRegistry, fromBinary, type DescMessage, type Registry } from "@bufbuild/protobuf";
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
} from "@bufbuild/protobuf/wkt";
import type { GrpcService } from "../../src/descriptor.js";
import { fileDescriptor } from "../../src/protobuf/file-descriptor.js";

/** The messages of a service in protobuf-es, which knows of them what our descriptor of the service says. */
export function otherImplementation(service: GrpcService): (name: string) => DescMessage {
  const google = [file_google_protobuf_empty, file_google_protobuf_struct, file_google_protobuf_timestamp];
  const own = fromBinary(FileDescriptorProtoSchema, fileDescriptor(service).bytes);
  const registry: Registry = createFileRegistry(
    create(FileDescriptorSetSchema, { file: [...google.map(({ proto }) => proto), own] }),
  );
  return (name) => {
    const found = registry.getMessage(name);
    if (found === undefined) throw new Error(`protobuf-es has no ${name}`);
    return found;
  };
}
