import * as v02 from "../../../generated/v0.2/tables.js";
import * as guards02 from "../../../generated/v0.2/validators.js";
import * as v03 from "../../../generated/v0.3/tables.js";
import * as guards03 from "../../../generated/v0.3/validators.js";
import * as v10 from "../../../generated/v1.0/tables.js";
import * as guards10 from "../../../generated/v1.0/validators.js";
import type { Table } from "../../../src/descriptor.js";

/** What the generated validators of all versions have in common. */
export interface AnyGuard {
  (value: unknown): boolean;
  readonly errors: unknown;
}

/** The tables of each version by type name. */
export const tables: Readonly<Record<string, Readonly<Record<string, Table<unknown>>>>> = {
  "0.2": { ...v02 },
  "0.3": { ...v03 },
  "1.0": { ...v10 },
};

/** The validators of each version by name (`isTask`); wire roots only. */
export const guards: Readonly<Record<string, Readonly<Record<string, AnyGuard>>>> = {
  "0.2": { ...guards02 },
  "0.3": { ...guards03 },
  "1.0": { ...guards10 },
};
