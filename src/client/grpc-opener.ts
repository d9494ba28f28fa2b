import type { Headers } from "../call.js";
import type { Transport } from "./transport.js";

/** What a client that speaks gRPC is told of an interface. */
export interface GrpcTarget {
  /** As the card names it: `host:port`. */
  readonly address: string;
  readonly headers?: Headers | undefined;
  readonly maxEventBytes?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly doubleBase64?: boolean | undefined;
  /** The addresses that a guard has checked, which alone may be connected to. */
  readonly pinned?: readonly string[] | undefined;
}

/** Opens interfaces over gRPC: `grpc` of `a2a-typed/grpc`, or a function around it that gives it further options. */
export type GrpcOpener = (target: GrpcTarget) => Transport;
