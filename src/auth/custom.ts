import type { Authenticator } from "./types.js";

/** A way of its own: the scheme as the card declares it, its check, and its challenge where it has one. */
export const custom = (authenticator: Authenticator): Authenticator => authenticator;
