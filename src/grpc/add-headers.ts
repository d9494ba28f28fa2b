import type { Metadata } from "@grpc/grpc-js";
import type { Headers } from "../call.js";

/** Names that belong to HTTP/2 and to gRPC themselves. */
const RESERVED =
  /^(:.*|grpc-.*|.*-bin|accept|connection|content-(length|type)|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/;
const NAME = /^[0-9a-z_.-]+$/;
/** Printable ASCII, which metadata is made of. */
const VALUE = /^[\x20-\x7e]*$/;

/** Puts headers into metadata. Those of the transport itself, and what metadata cannot carry, are left out and returned. */
export function addHeaders(metadata: Metadata, headers: Readonly<Headers>): readonly string[] {
  const left: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || RESERVED.test(name)) continue;
    if (NAME.test(name) && VALUE.test(value)) metadata.set(name, value);
    else left.push(name);
  }
  return left;
}
