import type { Table } from "../descriptor.js";

/** Newest first. */
const sources = {
  "1.0": () => import("../../generated/v1.0/tables.js"),
  "0.3": () => import("../../generated/v0.3/tables.js"),
  "0.2": () => import("../../generated/v0.2/tables.js"),
} as const;

/** A protocol version that has decoding tables. */
export type ProtocolVersion = keyof typeof sources;

/** The protocol versions that have decoding tables, newest first. */
export const protocolVersions = Object.keys(sources) as [ProtocolVersion, ...ProtocolVersion[]];

/** The decoding tables of one version by type name; loaded when asked for. */
export async function loadTables(version: ProtocolVersion): Promise<ReadonlyMap<string, Table<unknown>>> {
  const tables: Readonly<Record<string, Table<unknown>>> = { ...(await sources[version]()) };
  return new Map(Object.entries(tables));
}
