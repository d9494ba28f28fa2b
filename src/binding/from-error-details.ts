import { isObject } from "../codec/json.js";
import type { Violation } from "../errors.js";
import { BAD_REQUEST, ERROR_DOMAIN, ERROR_INFO } from "./error-details.js";

/** What the details of an error say. */
export interface ReadDetails {
  /** Reason of the ErrorInfo of the A2A domain; one of another domain (a gateway's) says nothing about A2A. */
  readonly reason: string | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly violations: readonly Violation[] | undefined;
}

/** Reads ErrorInfo and BadRequest from JSON-RPC `data` or HTTP+JSON `details`; anything unexpected is passed over. */
export function fromErrorDetails(data: unknown): ReadDetails {
  const list = (Array.isArray(data) ? data : [data]).filter(isObject);
  const { reason, metadata } =
    list.find(
      (d) =>
        d["@type"] === ERROR_INFO &&
        typeof d["reason"] === "string" &&
        (d["domain"] ?? ERROR_DOMAIN) === ERROR_DOMAIN,
    ) ?? {};
  const violations = list
    .filter((d) => d["@type"] === BAD_REQUEST)
    .flatMap((d) => d["fieldViolations"])
    .flatMap(violation);
  return {
    reason: reason as string | undefined,
    metadata: isStrings(metadata) ? metadata : undefined,
    violations: violations.length > 0 ? violations : undefined,
  };
}

const isStrings = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((v) => typeof v === "string");

const violation = (value: unknown): Violation[] => {
  if (!isObject(value)) return [];
  const { field, description } = value;
  if (typeof field !== "string") return [];
  return [
    { field, pointer: toPointer(field), description: typeof description === "string" ? description : "" },
  ];
};

const toPointer = (field: string): string =>
  field &&
  `/${field
    .replace(/\[(\d+)\]/g, ".$1")
    .replaceAll("~", "~0")
    .replaceAll("/", "~1")
    .replaceAll(".", "/")}`;
