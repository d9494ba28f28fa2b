import type { A2AError } from "../errors.js";
import { BAD_REQUEST, ERROR_DOMAIN, ERROR_INFO, isDetail, VALUE, type ErrorDetail } from "./error-details.js";

/**
 * Details of an error as they go out: ErrorInfo for everything but the generic errors of a binding (always, on every
 * binding), BadRequest for refused fields, then what the error carries itself. Data without `@type` is wrapped, as an
 * `Any` of a well-known type is written in ProtoJSON.
 */
export function toErrorDetails(error: A2AError, generic: boolean): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const own: readonly unknown[] =
    error.data === undefined ? [] : isDetailList(error.data) ? error.data : [error.data];
  // A relayed error brings its own; it must not be doubled.
  const has = (type: string): boolean => own.some((detail) => isDetail(detail) && detail["@type"] === type);
  if (!generic && !has(ERROR_INFO)) {
    details.push({
      "@type": ERROR_INFO,
      reason: error.reason,
      domain: ERROR_DOMAIN,
      ...(error.metadata && { metadata: strings(error.metadata) }),
    });
  }
  if (error.violations && error.violations.length > 0 && !has(BAD_REQUEST)) {
    details.push({
      "@type": BAD_REQUEST,
      fieldViolations: error.violations.map(({ field, description }) => ({ field, description })),
    });
  }
  for (const value of own) details.push(isDetail(value) ? value : wrapped(value));
  return details;
}

/** A list of details; one without any is a value like others. */
const isDetailList = (data: unknown): data is readonly unknown[] =>
  Array.isArray(data) && (data.length === 0 || data.some(isDetail));

const strings = (metadata: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

const wrapped = (value: unknown): ErrorDetail => ({ "@type": VALUE, value });
