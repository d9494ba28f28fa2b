import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import type { CallTarget } from "../server/router-types.js";
import { rpcHttpStatus, toRpcError } from "./to-rpc-error.js";
import { encodeOutput } from "./encode-output.js";
import { frameWriter, type FrameWriter } from "./event-frames.js";
import type { RpcId } from "./rpc-envelope.js";
import type { Outgoing } from "./server-types.js";
import type { VersionChoice, Versions } from "./version.js";

/** A method found by its JSON-RPC name. */
export interface RpcMethod<T extends CallTarget> {
  readonly target: T;
  readonly methodName: string;
  readonly method: MethodDescriptor;
}

type MethodTable = ReadonlyMap<string, readonly [methodName: string, method: MethodDescriptor]>;

/** Finds the router and method that a JSON-RPC request means, after its version was chosen. */
export interface RpcLookup<T extends CallTarget> {
  /**
   * `infer`: a version-less call is served by whatever version has the method (decision 11). Throws
   * `METHOD_NOT_FOUND`, or `VERSION_NOT_SUPPORTED` where only the missing version stands in the way.
   */
  find(choice: VersionChoice<T>, raw: string | undefined, name: string, infer: boolean): RpcMethod<T>;
}

/** Compiles the method tables of all versions. */
export function createRpcLookup<T extends CallTarget>(versions: Versions<T>): RpcLookup<T> {
  const tables = new Map<T, MethodTable>(versions.all.map((target) => [target, methodTable(target.service)]));
  const lookup = (target: T | undefined, name: string): RpcMethod<T> | undefined => {
    const entry = target && tables.get(target)?.get(name);
    return entry && { target, methodName: entry[0], method: entry[1] };
  };
  return {
    find(choice, raw, name, infer) {
      const found = lookup(choice.target, name);
      if (found) return found;
      if (!choice.explicit) {
        const other = versions.all.map((target) => lookup(target, name)).find((one) => one !== undefined);
        if (other && infer) return other;
        if (other || !choice.target) throw versions.refusal(raw);
      }
      throw notFound(name, choice, versions);
    },
  };
}

/** The reply to a unary call. */
export function rpcResult(id: RpcId, method: MethodDescriptor, output: unknown): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${encodeOutput(method, output)}}`;
}

/** The JSON-RPC response that carries an error. */
export function rpcErrorText(service: ServiceDescriptor, id: RpcId, error: A2AError): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(toRpcError(service, error))}}`;
}

/** An error in place of a reply: HTTP 200 except where the transport itself refuses. */
export function rpcFailure(service: ServiceDescriptor, id: RpcId, error: A2AError): Outgoing {
  return {
    status: rpcHttpStatus(service, error),
    headers: { ...error.headers, "content-type": "application/json", "x-content-type-options": "nosniff" },
    body: rpcErrorText(service, id, error),
  };
}

/** Frames of a stream: each event is a whole JSON-RPC response with the caller's id (A2A-9.4-b). */
export function rpcFrames(id: RpcId): FrameWriter {
  return frameWriter(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, "}");
}

const methodTable = (service: ServiceDescriptor): MethodTable =>
  new Map(
    Object.entries(service.methods).flatMap(([methodName, method]) =>
      method.jsonrpc === undefined ? [] : [[method.jsonrpc, [methodName, method] as const] as const],
    ),
  );

const notFound = <T extends CallTarget>(
  name: string,
  choice: VersionChoice<T>,
  versions: Versions<T>,
): A2AError => {
  const version = choice.target?.service.version ?? versions.newest.service.version;
  return new A2AError(
    "METHOD_NOT_FOUND",
    `Method not found: protocol version ${version} has no method ${JSON.stringify(name.slice(0, 64))}`,
    { code: -32601 },
  );
};
