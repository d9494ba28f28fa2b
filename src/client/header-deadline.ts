import { A2AError } from "../errors.js";
import type { FetchLike } from "./fetch-like.js";

/** `fetch` whose replies must begin in time: without headers for `ms` the request ends with `TIMEOUT`. */
export function headerDeadline(fetch: FetchLike, ms: number): FetchLike {
  return async (url, init) => {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new A2AError("TIMEOUT", `The agent sent no headers for ${String(ms)} ms`));
    }, ms);
    try {
      return await fetch(url, { ...init, signal: AbortSignal.any([init.signal, late.signal]) });
    } catch (error) {
      throw late.signal.aborted ? late.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
