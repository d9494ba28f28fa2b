import { readFileSync } from "node:fs";

/** One report from the field: what somebody sent, and what should come of it. */
export interface FieldCase {
  readonly id: string;
  /** Public report it was taken from. */
  readonly source: string;
  readonly component: string;
  readonly version: string;
  readonly type?: string;
  /** Holds in this mode only; without it, in both. */
  readonly mode?: string;
  readonly input: unknown;
  readonly expectation: "valid" | "invalid" | "decodes_to";
  readonly expected?: unknown;
  readonly why: string;
}

/** All cases. */
export const fieldCases = JSON.parse(
  readFileSync(new URL("../vectors/shared/field-reports.json", import.meta.url), "utf8"),
) as readonly FieldCase[];

/** How a case is proved. */
export type Run = (fieldCase: FieldCase) => void | Promise<void>;

/** Input of a case as the shape its run expects. */
export const inputOf = <T>(fieldCase: FieldCase): T => fieldCase.input as T;

/** Expectation of a case as the shape its run expects. */
export const expectedOf = <T>(fieldCase: FieldCase): T => fieldCase.expected as T;
