import { MAX_DEPTH } from "../codec/reader.js";
import { WireFault } from "./wire-fault.js";

/** The level below, of messages and free JSON alike; deeper values than the tables read are refused, before a stack ends. */
export function below(level: number): number {
  if (level >= MAX_DEPTH) throw new WireFault(`nested deeper than ${String(MAX_DEPTH)} levels`);
  return level + 1;
}
