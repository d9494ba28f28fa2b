import type { Headers } from "../call.js";
import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { encodeOutput } from "./encode-output.js";
import { EventFrames } from "./event-frames.js";
import type { Outgoing } from "./server-types.js";
import { toRpcError } from "./to-rpc-error.js";
import { toStatusBody, type StatusBody } from "./to-status-body.js";

/** Headers of every HTTP+JSON reply: it depends on what was negotiated, and is the caller's own. */
const restHeaders = (mediaType: string, others?: Headers): Headers => ({
  ...others,
  "content-type": mediaType,
  "cache-control": "no-store",
  vary: "Accept, A2A-Version, A2A-Extensions",
  "x-content-type-options": "nosniff",
});

/** The reply to a unary call: the bare message (A2A-11.4-a), always 200 with a body, also for a deletion. */
export function restResult(
  method: MethodDescriptor,
  { output, headers }: { readonly output: unknown; readonly headers: Headers },
  mediaType: string,
): Outgoing {
  return { status: 200, headers: restHeaders(mediaType, headers), body: encodeOutput(method, output) };
}

/** An error in place of a reply. */
export function restFailure(service: ServiceDescriptor, error: A2AError, mediaType: string): Outgoing {
  const { http, body, headers } = errorBody(service, error);
  return { status: http, headers: { ...headers, ...restHeaders(mediaType) }, body: JSON.stringify(body) };
}

/** The frame of an error inside a stream. */
function restErrorFrame(service: ServiceDescriptor, error: A2AError): string {
  const frame = `data: ${JSON.stringify(errorBody(service, error).body)}\n\n`;
  return service.errorData === "details" ? frame : `event: error\n${frame}`;
}

/**
 * 1.x has a status body (A2A-11.6-a). 0.x leaves it open: the error object of JSON-RPC, which its implementations read,
 * and in a stream under an event name of its own (version mapping 3.4).
 */
const errorBody = (
  service: ServiceDescriptor,
  error: A2AError,
): Omit<StatusBody, "body"> & { body: unknown } => {
  const status = toStatusBody(service, error);
  return service.errorData === "details" ? status : { ...status, body: toRpcError(service, error) };
};

/** Frames of a stream: bare events (A2A-11.7-a). */
export const restFrames = new EventFrames("", "", restErrorFrame);
