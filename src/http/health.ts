import type { Readiness } from "./readiness.js";
import { normalBase, splitUrl } from "./split-url.js";
import type { HttpHandler, HttpResponse } from "./types.js";

/** Where load balancers ask how the server is; paths are at the origin, whatever `basePath` is. */
export interface HealthOptions {
  /** 200 as long as the process answers. Default `/healthz`. */
  readonly live?: string;
  /** 503 while the server shuts down or its store does not answer. Default `/readyz`. */
  readonly ready?: string;
}

/** Wraps a handler so that it answers for liveness and readiness, without authentication and in JSON. */
export function withHealth(
  handle: HttpHandler,
  option: HealthOptions | true,
  readiness: () => Promise<Readiness>,
): HttpHandler {
  const { live = "/healthz", ready = "/readyz" } = option === true ? {} : option;
  const livePath = normalBase(live);
  const readyPath = normalBase(ready);

  return async (request) => {
    const { path } = splitUrl(request.url);
    if (path !== livePath && path !== readyPath) return handle(request);
    if (request.method !== "GET" && request.method !== "HEAD") return handle(request);
    const word = path === livePath ? "ok" : await readiness();
    const reply = answer(word === "ok" ? 200 : 503, word);
    return request.method === "HEAD" ? { ...reply, body: "" } : reply;
  };
}

const answer = (status: number, word: string): HttpResponse => {
  const body = `{"status":"${word}"}`;
  return {
    status,
    headers: {
      "content-type": "application/json",
      "content-length": String(body.length),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
    body,
  };
};
