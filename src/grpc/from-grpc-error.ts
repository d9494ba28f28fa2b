import type { ServiceError } from "@grpc/grpc-js";
import { isDetail, type ErrorDetail } from "../binding/error-details.js";
import { fromErrorDetails } from "../binding/from-error-details.js";
import { isObject } from "../codec/json.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError, type ErrorReason } from "../errors.js";
import { decodeMessage } from "../protobuf/decode-message.js";
import { unpackDetail } from "./any-details.js";
import { headersOf } from "./headers-of.js";
import { RpcStatus } from "./rpc-messages.js";
import { statusName } from "./status-code.js";
import { STATUS_DETAILS } from "./to-grpc-status.js";
import { unreachable } from "./unreachable.js";

/** What a status means where no ErrorInfo says it, and the HTTP status of the same meaning. */
const meanings: Readonly<Record<string, readonly [ErrorReason, number]>> = {
  INVALID_ARGUMENT: ["INVALID_REQUEST", 400],
  FAILED_PRECONDITION: ["INVALID_REQUEST", 400],
  OUT_OF_RANGE: ["INVALID_REQUEST", 400],
  NOT_FOUND: ["TASK_NOT_FOUND", 404],
  UNIMPLEMENTED: ["METHOD_NOT_FOUND", 501],
  UNAUTHENTICATED: ["UNAUTHENTICATED", 401],
  PERMISSION_DENIED: ["PERMISSION_DENIED", 403],
  RESOURCE_EXHAUSTED: ["RESOURCE_EXHAUSTED", 429],
  UNAVAILABLE: ["UNAVAILABLE", 503],
  DEADLINE_EXCEEDED: ["TIMEOUT", 504],
  CANCELLED: ["ABORTED", 499],
};

/** Names of errors of a binding, as agents of 0.3 put them before their messages. */
const namedByText: Readonly<Record<string, ErrorReason>> = {
  JSONParse: "PARSE_ERROR",
  InvalidRequest: "INVALID_REQUEST",
  MethodNotFound: "METHOD_NOT_FOUND",
  InvalidParams: "INVALID_PARAMS",
  Internal: "INTERNAL_ERROR",
};

/** What the package says by itself of connections that break; any other status is an agent's. */
const saidByPackage: ReadonlySet<string> = new Set([
  "CANCELLED",
  "INTERNAL",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "UNAUTHENTICATED",
  "UNAVAILABLE",
  "UNIMPLEMENTED",
  "UNKNOWN",
]);

/**
 * The `A2AError` of a call that failed. The reason comes from an A2A ErrorInfo (A2A-10.6-b), else from the name of the error before
 * its message (`TaskNotFoundError: …`, 0.3), else from the status: the one error that the method has with it, or what it means
 * at large. What the agent did not say is `NETWORK`.
 */
export function fromGrpcError(
  service: ServiceDescriptor,
  error: ServiceError,
  address: string,
  methodName?: string,
): A2AError {
  const { code, details: text, metadata } = error;
  const name = statusName(code);
  const large = name === "RESOURCE_EXHAUSTED" && /larger than max|size larger than/.test(text);
  const named = byText(service, text);
  // What the package says by itself has no headers; an agent that has sent its own before may have no more, either.
  const said = Object.keys(metadata.getMap()).length > 0 || named !== undefined || !saidByPackage.has(name);
  // The package's own words for a reply of OK that is none.
  if (name === "UNIMPLEMENTED" && text === "No message received")
    return new A2AError("DECODE", "The agent ended the call with OK, without a reply");
  if (!said && !large && name !== "DEADLINE_EXCEEDED") return unreachable(error, address);
  const details = detailsOf(error);
  const { reason: info, metadata: facts, violations } = fromErrorDetails(details);
  const [meant, status] = meanings[name] ?? (["INTERNAL_ERROR", 500] as const);
  const reason =
    info ??
    named ??
    (large
      ? "PAYLOAD_TOO_LARGE"
      : violations
        ? "INVALID_PARAMS"
        : (ofMethod(service, methodName, name) ?? meant));
  const known = Object.hasOwn(service.errors, reason) ? service.errors[reason] : undefined;
  const message = named === reason ? text.slice(text.indexOf(": ") + 2) : text;
  return new A2AError(reason, message || `The agent ended the call with ${name}`, {
    status,
    headers: headersOf(metadata),
    ...(known && { code: known.code }),
    ...(details.length > 0 && { data: details }),
    ...(facts && { metadata: facts }),
    ...(violations && { violations }),
  });
}

function detailsOf({ metadata }: ServiceError): ErrorDetail[] {
  const [bytes] = metadata.get(STATUS_DETAILS);
  if (!(bytes instanceof Buffer)) return [];
  try {
    const status = decodeMessage(RpcStatus, bytes);
    const packed = isObject(status) && Array.isArray(status["details"]) ? status["details"] : [];
    return packed
      .flatMap((one: unknown) => {
        const { typeUrl = "", value = "" } = one as { readonly typeUrl?: string; readonly value?: string };
        return unpackDetail({ typeUrl, value }) ?? [];
      })
      .filter(isDetail);
  } catch {
    // Bytes that are no status say nothing; the code of the call still does.
    return [];
  }
}

function byText(service: ServiceDescriptor, text: string): ErrorReason | undefined {
  const [, name] = /^([A-Z]\w+)Error: /.exec(text) ?? [];
  if (name === undefined) return undefined;
  const reason = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  if (Object.hasOwn(service.errors, reason)) return reason;
  return Object.hasOwn(namedByText, name) ? namedByText[name] : undefined;
}

/** The error of a method that has a status, where there is just one. */
function ofMethod(
  service: ServiceDescriptor,
  methodName: string | undefined,
  status: string,
): ErrorReason | undefined {
  const method = methodName === undefined ? undefined : service.methods[methodName];
  const fitting = (method?.errors ?? []).filter(
    (reason) =>
      Object.hasOwn(service.errors, reason) &&
      (service.errors[reason]?.status ?? "FAILED_PRECONDITION") === status,
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}
