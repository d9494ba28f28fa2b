import type { Table } from "../descriptor.js";
import { lines } from "./lines.js";

/** A protocol version that has decoding tables. */
export type ProtocolVersion = keyof typeof lines;

/** The protocol versions that have decoding tables, newest first. */
export const protocolVersions = Object.keys(lines) as [ProtocolVersion, ...ProtocolVersion[]];

/** The decoding tables of one version by type name; loaded when asked for. */
export async function loadTables(version: ProtocolVersion): Promise<ReadonlyMap<string, Table<unknown>>> {
  const tables: Readonly<Record<string, Table<unknown>>> = { ...(await lines[version].tables()) };
  return new Map(Object.entries(tables));
}
