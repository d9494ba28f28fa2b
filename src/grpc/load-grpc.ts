import type * as Grpc from "@grpc/grpc-js";
import { A2AError } from "../errors.js";

/** What `@grpc/grpc-js` exports. */
export type GrpcPackage = typeof Grpc;

/** Loads `@grpc/grpc-js`, which nothing else needs. `CONFIG` says what to install where it is missing. */
export async function loadGrpc(): Promise<GrpcPackage> {
  try {
    return await import("@grpc/grpc-js");
  } catch (cause) {
    throw new A2AError(
      "CONFIG",
      'gRPC: the package "@grpc/grpc-js" cannot be loaded; install it: npm install @grpc/grpc-js',
      { cause },
    );
  }
}
