import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { rpcHttpStatus, toRpcError } from "./to-rpc-error.js";
import { encodeOutput } from "./encode-output.js";
import { EventFrames } from "./event-frames.js";
import type { RpcId } from "./rpc-envelope.js";
import type { Outgoing } from "./server-types.js";

/** The reply to a unary call. */
export function rpcResult(id: RpcId, method: MethodDescriptor, output: unknown): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${encodeOutput(method, output)}}`;
}

/** The JSON-RPC response that carries an error. */
function rpcErrorText(service: ServiceDescriptor, id: RpcId, error: A2AError): string {
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

/** An error as an event of a stream. */
export const rpcErrorFrame = (service: ServiceDescriptor, id: RpcId, error: A2AError): string =>
  `data: ${rpcErrorText(service, id, error)}\n\n`;

/**
 * Frames of a stream: each event is a whole JSON-RPC response with the caller's id (A2A-9.4-b). Callers whose ids are the
 * same share them: most count theirs from 1.
 */
export function rpcFrames(id: RpcId): EventFrames {
  const shared = typeof id !== "string" || id.length <= SHORT;
  const known = shared ? common.get(id) : undefined;
  if (known !== undefined) return known;
  const frames = new EventFrames(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`,
    "}",
    (service, error) => rpcErrorFrame(service, id, error),
  );
  if (shared) {
    if (common.size === MOST) common.clear();
    common.set(id, frames);
  }
  return frames;
}

/** Characters of an id that others may have too. */
const SHORT = 8;
/** Ids whose frames are kept; all are dropped where they become more. */
const MOST = 256;
const common = new Map<RpcId, EventFrames>();
