import type { ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import { describeError } from "./describe-error.js";
import {
  BAD_REQUEST,
  ERROR_DOMAIN,
  ERROR_INFO,
  isDetail,
  isWrapped,
  type ErrorDetail,
} from "./error-details.js";
import { toErrorDetails } from "./to-error-details.js";

/** The `error` member of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error as JSON-RPC `error` of a version: `data` is a list of details in 1.x, free form in 0.x (A2A-9.5-a). */
export function toRpcError(service: ServiceDescriptor, error: A2AError): RpcError {
  const { code, message, generic } = describeError(service, error);
  const data = service.errorData === "details" ? details(error, generic) : freeForm(error);
  return data === undefined ? { code, message } : { code, message, data };
}

/**
 * HTTP status of a JSON-RPC error: 200, except where the transport itself refuses (401, 403, 413, 414, 429, 431, and 503
 * where the error asks for it).
 */
export function rpcHttpStatus(service: ServiceDescriptor, error: A2AError): number {
  const { http } = describeError(service, error);
  if (http === 503) return error.status === 503 ? 503 : 200;
  return TRANSPORT.has(http) ? http : 200;
}

const TRANSPORT: ReadonlySet<number> = new Set([401, 403, 413, 414, 429, 431]);

const details = (error: A2AError, generic: boolean): unknown => {
  const list = toErrorDetails(error, generic);
  return list.length === 0 ? undefined : list;
};

const freeForm = (error: A2AError): unknown => {
  if (error.data !== undefined) return withoutDetails(error.data);
  if (error.violations && error.violations.length > 0) {
    const fieldViolations = error.violations.map(({ field, description }) => ({ field, description }));
    return [{ "@type": BAD_REQUEST, fieldViolations }];
  }
  return error.metadata;
};

/** The details of a relayed 1.x error as 0.x would have said it: the metadata, or the value that was wrapped for 1.x. */
function withoutDetails(data: unknown): unknown {
  if (!Array.isArray(data) || data.length === 0 || !data.every(isDetail)) return data;
  const isOwn = (detail: ErrorDetail): boolean =>
    detail["@type"] === ERROR_INFO && (detail["domain"] ?? ERROR_DOMAIN) === ERROR_DOMAIN;
  const own = data.filter(isOwn);
  const [first, ...more] = data.filter((detail) => !isOwn(detail));
  if (own.length > 1 || more.length > 0) return data;
  if (first === undefined) return own[0]?.["metadata"];
  return isWrapped(first) ? first["value"] : data;
}
