import { JWKS_PATH } from "./open-keys.js";
import type { KeyOptions } from "./types.js";

/** Where the JWKS of a server at `base` is: below its origin. */
export const jwksUrl = (base: string, { url, path = JWKS_PATH }: KeyOptions): string =>
  url ?? new URL(base).origin + path;
