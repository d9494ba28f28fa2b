import type { IncomingHttpHeaders } from "node:http";

/** What a webhook was told, in words of no version. */
export interface Delivery {
  /** The state that the body tells, `nothing` where there was no delivery. */
  readonly delivered: string;
  /** Whose shape the body has: `1.0` wraps its payload, `0.3` tags it with a kind. */
  readonly form: string;
  readonly token: string;
}

interface Body {
  readonly kind?: string;
  readonly status?: { readonly state?: string };
  readonly task?: Body;
  readonly statusUpdate?: Body;
  readonly artifactUpdate?: object;
  readonly message?: object;
}

/** Reads the body of a webhook request, of either generation. */
export function deliveryOf(text: string, headers: IncomingHttpHeaders): Delivery {
  // Version 1.0 names no header for it; a2a-go leaves out the X.
  const token = String(headers["x-a2a-notification-token"] ?? headers["a2a-notification-token"] ?? "");
  let body: Body;
  try {
    body = JSON.parse(text) as Body;
  } catch {
    return { delivered: "no JSON", form: "", token };
  }
  const wrapped = body.task ?? body.statusUpdate ?? body.artifactUpdate ?? body.message;
  const state = (wrapped as Body | undefined)?.status?.state ?? body.status?.state ?? "";
  return {
    delivered: state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-"),
    form: wrapped === undefined ? (body.kind === undefined ? "neither" : "0.3") : "1.0",
    token,
  };
}
