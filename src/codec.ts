/** Reads either generation of the protocol into the newest shapes, and writes either. */
export type { Loss } from "./convert/types.js";
