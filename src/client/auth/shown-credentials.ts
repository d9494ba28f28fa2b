import type { Headers } from "../../call.js";
import { A2AError } from "../../errors.js";
import { mergeHeaders } from "../call-headers.js";
import type { AuthOperation, ClientAuth } from "./types.js";

/** What is shown with one request. */
export interface ShownCredentials {
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
}

/** The credentials for a request. What is no `A2AError` becomes the cause of an `UNAUTHENTICATED`. */
export async function credentialsOf(auth: ClientAuth, op: AuthOperation): Promise<ShownCredentials> {
  try {
    const [headers, query] = await Promise.all([auth.headers(op), auth.query?.(op)]);
    return { headers: mergeHeaders(headers), query: query ?? {} };
  } catch (cause) {
    if (cause instanceof A2AError) throw cause;
    throw new A2AError("UNAUTHENTICATED", `auth gave no credentials for ${op.name}; see the cause`, {
      cause,
    });
  }
}

/** Headers with credentials: cookies are added to those that are there; everything else takes their place. */
export function withCredentials(sent: Headers, shown: Headers): Headers {
  const cookie = [sent["cookie"], shown["cookie"]].filter((one) => one !== undefined).join("; ");
  return { ...sent, ...shown, ...(cookie !== "" && { cookie }) };
}
