import type { Headers } from "../call.js";
import { A2AError } from "../errors.js";
import type { HttpHandler, HttpResponse } from "./types.js";

/** Which pages of browsers may call the server. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, or what decides about one. Default: all. */
  readonly origins?: readonly string[] | ((origin: string) => boolean);
  /** Request headers that are allowed besides those of the protocol. */
  readonly headers?: readonly string[];
  /** Seconds for which a browser may keep the answer to a preflight. Default 7,200. */
  readonly maxAge?: number;
  /** Lets pages send cookies and client certificates; then `origins` must be stated. Default false. */
  readonly credentials?: boolean;
}

/** Wraps a handler so that replies, errors and streams too, are readable for allowed origins; preflights are answered. */
export function withCors(handle: HttpHandler, option: CorsOptions | true): HttpHandler {
  const { origins = ["*"], headers = [], maxAge = 7200, credentials = false } = option === true ? {} : option;
  const all = typeof origins !== "function" && origins.includes("*");
  if (all && credentials) {
    throw new A2AError(
      "CONFIG",
      "cors: credentials need origins that are named; * stands for every page there is",
    );
  }
  const allows =
    typeof origins === "function" ? origins : (origin: string): boolean => origins.includes(origin);
  const shared: Headers = credentials ? { "access-control-allow-credentials": "true" } : {};
  const preflight: Headers = {
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": [...REQUEST_HEADERS, ...headers].join(", "),
    "access-control-max-age": String(maxAge),
  };

  const grant = (origin: string | undefined): Headers | undefined => {
    if (all) return { "access-control-allow-origin": "*" };
    return origin !== undefined && allows(origin)
      ? { ...shared, "access-control-allow-origin": origin }
      : undefined;
  };

  return async (request) => {
    const origin = request.headers["origin"];
    const granted = grant(origin);
    if (
      request.method === "OPTIONS" &&
      origin !== undefined &&
      request.headers["access-control-request-method"] !== undefined
    ) {
      const vary = all ? {} : { vary: "Origin" };
      return { status: 204, headers: { ...(granted && { ...granted, ...preflight }), ...vary }, body: "" };
    }
    const reply = await handle(request);
    const extra = granted && { ...granted, "access-control-expose-headers": EXPOSED };
    return { ...reply, headers: { ...reply.headers, ...extra, ...(all ? {} : varied(reply)) } };
  };
}

// The reply depends on the origin also where there is none: a cache must not hand it to one.
const varied = ({ headers: { vary } }: HttpResponse): Headers => ({
  vary: vary === undefined ? "Origin" : `${vary}, Origin`,
});

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

const REQUEST_HEADERS: readonly string[] = [
  "accept",
  "content-type",
  "authorization",
  "a2a-version",
  "a2a-extensions",
  "x-a2a-extensions",
  "if-none-match",
  "last-event-id",
  "traceparent",
  "tracestate",
];

const EXPOSED = [
  "a2a-version",
  "a2a-extensions",
  "x-a2a-extensions",
  "allow",
  "etag",
  "retry-after",
  "traceparent",
  "www-authenticate",
].join(", ");
