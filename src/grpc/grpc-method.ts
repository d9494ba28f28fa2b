import type { ServedVersion } from "../binding/served-version.js";
import type { GrpcMethod } from "../descriptor.js";
import type { Serving } from "../http/serving.js";
import type { GrpcPackage } from "./load-grpc.js";

/** One version behind the path of a method; versions that share a package are told apart by `a2a-version`. */
export interface MethodVersion {
  readonly version: ServedVersion;
  readonly wire: GrpcMethod;
  readonly encode: (event: unknown) => Buffer;
}

/** A method as it is served under one path. */
export interface ServedMethod {
  readonly grpc: GrpcPackage;
  readonly serving: Serving;
  /** Key in `service.methods`. */
  readonly methodName: string;
  /** The first is taken where the caller names none: the package says enough. */
  readonly versions: readonly [MethodVersion, ...MethodVersion[]];
}
