import { mergeHeaders } from "../call-headers.js";
import { A2AError } from "../../errors.js";
import type { ClientAuth } from "./types.js";

/** Several credentials at once. After a 401 it is tried again where one of them has something else to show. */
export function allOf(parts: readonly ClientAuth[]): ClientAuth {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const fetches = parts.flatMap((one) => one.fetch ?? []);
  if (fetches.length > 1)
    throw new A2AError("CONFIG", "credentials: two of them bring an HTTP client; one certificate is shown");
  const renewing = parts.filter((one) => one.refused !== undefined);
  return {
    async headers(op) {
      const all = await Promise.all(parts.map(async (one) => mergeHeaders(await one.headers(op))));
      const cookie = all.flatMap((one) => one["cookie"] ?? []).join("; ");
      return { ...Object.assign({}, ...all), ...(cookie !== "" && { cookie }) } as Record<string, string>;
    },
    async query(op) {
      const all = await Promise.all(parts.map(async (one) => one.query?.(op)));
      return Object.assign({}, ...all) as Record<string, string>;
    },
    ...(renewing.length > 0 && {
      async refused(op, response) {
        const answers = await Promise.all(renewing.map(async (one) => one.refused?.(op, response)));
        return answers.includes(true);
      },
    }),
    ...(fetches[0] && { fetch: fetches[0] }),
  };
}
