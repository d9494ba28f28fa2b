import type { Metadata } from "@grpc/grpc-js";
import { describeError } from "../binding/describe-error.js";
import type { ErrorDetail } from "../binding/error-details.js";
import { toErrorDetails } from "../binding/to-error-details.js";
import type { ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { encodeMessage } from "../protobuf/encode-message.js";
import { packDetail } from "./any-details.js";
import { addHeaders } from "./add-headers.js";
import { errorName } from "./error-name.js";
import { RpcStatus } from "./rpc-messages.js";
import { statusCodes } from "./status-code.js";

/** Where a status has its details, as bytes of a `google.rpc.Status` (A2A-10.6-a). */
export const STATUS_DETAILS = "grpc-status-details-bin";

/** Peers take some 8 KiB of metadata in all: more details than this are left out, the first of them last. */
const MOST_DETAILS = 4_096;
/** Characters of a message; it is in the status twice. */
const LONGEST_MESSAGE = 1_024;

/** How a call ends that is refused. */
export interface GrpcRefusal {
  readonly code: number;
  readonly details: string;
  /** Trailers. */
  readonly metadata: Metadata;
}

/** An error as gRPC ends a call with it: the code of the version's table, its text, its details and headers as trailers. */
export function toGrpcStatus(service: ServiceDescriptor, error: A2AError, trailers: Metadata): GrpcRefusal {
  const { status, message, generic } = describeError(service, error);
  // The name of a generic error is that of HTTP; a method that is not there has a code of its own here.
  const name = error.reason === "METHOD_NOT_FOUND" ? "UNIMPLEMENTED" : status;
  const code = statusCodes[name] ?? statusCodes["UNKNOWN"] ?? 2;
  // In 0.x no details are agreed upon: peers tell errors apart by the names before their messages.
  const unnamed = service.errorData === "details" || generic;
  const text = shortened(unnamed ? message : `${errorName(error.reason)}: ${message}`);
  const details = toErrorDetails(error, generic);
  if (details.length > 0) trailers.set(STATUS_DETAILS, detailBytes(code, text, details));
  addHeaders(trailers, error.headers ?? {});
  return { code, details: text, metadata: trailers };
}

/** Halves of characters, which the header of the message cannot carry, are left out. */
const shortened = (message: string): string =>
  (message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message).replace(
    /\p{Surrogate}/gu,
    "\uFFFD",
  );

function detailBytes(code: number, message: string, details: readonly ErrorDetail[]): Buffer {
  let kept = details.map(fitting);
  for (;;) {
    const bytes = encodeMessage(RpcStatus, { code, message, details: kept.map(packDetail) });
    if (bytes.length <= MOST_DETAILS || kept.length === 0)
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    kept = kept.slice(0, -1);
  }
}

/** Of many refused fields the first are told: they are what the caller must change first. */
function fitting(detail: ErrorDetail): ErrorDetail {
  const { fieldViolations } = detail;
  return Array.isArray(fieldViolations) && fieldViolations.length > 10
    ? { ...detail, fieldViolations: fieldViolations.slice(0, 10) as readonly unknown[] }
    : detail;
}
