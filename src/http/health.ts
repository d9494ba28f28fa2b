import { normalBase, splitUrl } from "./split-url.js";
import type { ServerState } from "./server-state.js";
import type { HttpHandler, HttpResponse } from "./types.js";

/** Where load balancers ask how the server is; paths are at the origin, whatever `basePath` is. */
export interface HealthOptions {
  /** 200 as long as the process answers. Default `/healthz`. */
  readonly live?: string;
  /** 503 while the server shuts down or its store does not answer. Default `/readyz`. */
  readonly ready?: string;
}

/** What readiness depends on. */
export interface HealthSource {
  readonly state: ServerState;
  /** Rejects, or takes too long, where the server cannot work. */
  readonly check?: (() => unknown) | undefined;
}

/** The store is asked at most once in so many milliseconds, however often somebody without a name asks us. */
const KEEP_MS = 1_000;
/** Milliseconds that a store may take. */
const PATIENCE_MS = 2_000;

/** Wraps a handler so that it answers for liveness and readiness, without authentication and in JSON. */
export function withHealth(
  handle: HttpHandler,
  option: HealthOptions | true,
  { state, check }: HealthSource,
): HttpHandler {
  const { live = "/healthz", ready = "/readyz" } = option === true ? {} : option;
  const livePath = normalBase(live);
  const readyPath = normalBase(ready);
  let asked = Number.NEGATIVE_INFINITY;
  let works: Promise<boolean> = Promise.resolve(true);

  const worksNow = (): Promise<boolean> => {
    const now = performance.now();
    if (check !== undefined && now - asked >= KEEP_MS) {
      asked = now;
      works = inTime(check);
    }
    return works;
  };

  const readiness = async (): Promise<HttpResponse> => {
    if (state.draining) return answer(503, "draining");
    return (await worksNow()) ? answer(200, "ok") : answer(503, "unavailable");
  };

  return async (request) => {
    const { path } = splitUrl(request.url);
    if (path !== livePath && path !== readyPath) return handle(request);
    if (request.method !== "GET" && request.method !== "HEAD") return handle(request);
    const reply = path === livePath ? answer(200, "ok") : await readiness();
    return request.method === "HEAD" ? { ...reply, body: "" } : reply;
  };
}

const inTime = async (check: () => unknown): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([Promise.resolve(check()).then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

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
