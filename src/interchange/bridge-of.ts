import { createBridge } from "../convert/bridge.js";
import type { Bridge } from "../convert/types.js";
import { hops, lines } from "../versions/conversions.js";
import { pivot } from "../versions/pivot.js";

const bridges = new Map<string, Bridge>();

/** The bridge from the pivot to another line; undefined for the pivot itself, and for what is no line. */
export function bridgeOf(line: string): Bridge | undefined {
  const known = bridges.get(line);
  const far = lines[line]?.service;
  if (known !== undefined || far === undefined || line === pivot.version) return known;
  const made = createBridge(hops, { near: pivot, far });
  bridges.set(line, made);
  return made;
}
