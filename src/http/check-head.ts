import { A2AError } from "../errors.js";
import type { HttpLimits } from "./options.js";
import type { HttpRequest } from "./types.js";

/** What is wrong with the size of a request's head; nothing of it is parsed before. */
export type HeadCheck = (request: HttpRequest) => A2AError | undefined;

/** The check of target and header fields. */
export function createHeadCheck(limits: HttpLimits = {}): HeadCheck {
  const { urlLength = 16_384, queryLength = 8_192, queryParameters = 100, headerCount = 100 } = limits;
  return ({ url, headers }) => {
    if (url.length > urlLength) {
      return tooMuch(414, `The request target is longer than ${String(urlLength)} characters`);
    }
    const at = url.indexOf("?");
    if (at >= 0) {
      if (url.length - at - 1 > queryLength) {
        return tooMuch(414, `The query string is longer than ${String(queryLength)} characters`);
      }
      if (hasMore(url, at + 1, queryParameters)) {
        return tooMuch(400, `The query string has more than ${String(queryParameters)} parameters`);
      }
    }
    let fields = 0;
    for (const _ in headers) fields += 1;
    return fields > headerCount
      ? tooMuch(431, `The request has more than ${String(headerCount)} header fields`)
      : undefined;
  };
}

/** Whether a query string has more than so many parameters. */
const hasMore = (url: string, start: number, limit: number): boolean => {
  let count = 1;
  for (let at = url.indexOf("&", start); at >= 0; at = url.indexOf("&", at + 1)) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
};

const tooMuch = (status: number, message: string): A2AError =>
  new A2AError("INVALID_REQUEST", message, { code: -32600, status });
