import { A2AError } from "../errors.js";
import type { TooLarge } from "./read.js";

/** Throws `PAYLOAD_TOO_LARGE` for an event over the cap. */
export const eventTooLarge: TooLarge = (maxEventBytes) => {
  throw new A2AError("PAYLOAD_TOO_LARGE", `An event exceeds maxEventBytes (${String(maxEventBytes)})`);
};
