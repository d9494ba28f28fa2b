import type { FetchResponse } from "../client/fetch-like.js";
import { isSuccess } from "../client/http-error.js";

/** True where the reply is an event stream. */
export const isEventStream = (response: FetchResponse): boolean =>
  isSuccess(response) && /^\s*text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
