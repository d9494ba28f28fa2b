import type { Violation } from "../errors.js";
import { BAD_REQUEST, ERROR_DOMAIN, ERROR_INFO, isDetail } from "./error-details.js";

/** What the details of an error say. */
export interface ReadDetails {
  /** Reason of the ErrorInfo of the A2A domain; one of another domain (a gateway's) says nothing about A2A. */
  readonly reason?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly Violation[];
}

/** Reads ErrorInfo and BadRequest from JSON-RPC `data` or HTTP+JSON `details`; anything unexpected is passed over. */
export function fromErrorDetails(data: unknown): ReadDetails {
  const list = (Array.isArray(data) ? data : [data]).filter(isDetail);
  const info = list.find(
    (d) =>
      d["@type"] === ERROR_INFO &&
      typeof d["reason"] === "string" &&
      (d["domain"] === ERROR_DOMAIN || d["domain"] === undefined),
  );
  const metadata = info?.["metadata"];
  const violations = list
    .filter((d) => d["@type"] === BAD_REQUEST)
    .flatMap((d): unknown[] => (Array.isArray(d["fieldViolations"]) ? d["fieldViolations"] : []))
    .flatMap(violation);
  return {
    ...(info && { reason: String(info["reason"]) }),
    ...(isStrings(metadata) && { metadata }),
    ...(violations.length > 0 && { violations }),
  };
}

const isStrings = (value: unknown): value is Record<string, string> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((v) => typeof v === "string");

const violation = (value: unknown): Violation[] => {
  if (typeof value !== "object" || value === null) return [];
  const { field, description } = value as { field?: unknown; description?: unknown };
  if (typeof field !== "string") return [];
  return [
    { field, pointer: toPointer(field), description: typeof description === "string" ? description : "" },
  ];
};

const toPointer = (field: string): string =>
  field === ""
    ? ""
    : `/${field
        .replace(/\[(\d+)\]/g, ".$1")
        .replace(/~/g, "~0")
        .replace(/\//g, "~1")
        .split(".")
        .join("/")}`;
