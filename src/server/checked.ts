import { decode } from "../codec/decode.js";
import type { Table } from "../descriptor.js";
import { A2AError } from "../errors.js";

/**
 * What the agent gave, in the shape that goes on the wire; members that the protocol does not know are dropped. Throws
 * `TypeError` in the agent, before anything is done with it: the schema of replies binds the agent, too.
 */
export function checked<T>(table: Table<T>, value: T, root: string): T {
  try {
    return decode(table, value, { direction: "request", root });
  } catch (error) {
    // An A2AError would be shown to the caller, who did nothing wrong.
    if (error instanceof A2AError) throw new TypeError(error.message, { cause: error });
    throw error;
  }
}
