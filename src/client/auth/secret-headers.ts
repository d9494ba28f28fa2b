import type { Headers } from "../../call.js";

/** Names of headers whose values are taken for secrets. */
const CREDENTIAL = /auth|key|token|secret|password|credential|session|cookie/i;

/** The values of headers that hold a credential, as far as their names tell: `authorization`, `x-api-key`, `cookie`. */
export const secretHeaders = (headers: Headers = {}): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (CREDENTIAL.test(name) ? [value] : []));
