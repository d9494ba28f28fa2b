import type { CardDocument } from "../card/card-document.js";
import type { HttpRequest, HttpResponse } from "./types.js";

/**
 * A document with what caches need (A2A-8.6.1): a conditional request whose copy is still good is answered 304 without a
 * body.
 */
export function documentReply(
  document: CardDocument,
  { method, headers }: Pick<HttpRequest, "method" | "headers">,
  about: { readonly contentType: string; readonly headers: Readonly<Record<string, string>> },
): HttpResponse {
  const caching = {
    etag: document.etag,
    "last-modified": document.modified.toUTCString(),
    ...about.headers,
  };
  if (isFresh(document, headers)) return { status: 304, headers: caching, body: "" };
  return {
    status: 200,
    headers: {
      ...caching,
      "content-type": about.contentType,
      "content-length": String(document.bytes),
      "x-content-type-options": "nosniff",
    },
    body: method === "HEAD" ? "" : document.text,
  };
}

/** RFC 9110 13.2.2: `If-None-Match` decides where there is one, else `If-Modified-Since`. */
const isFresh = (document: CardDocument, headers: HttpRequest["headers"]): boolean => {
  const tags = headers["if-none-match"];
  if (tags !== undefined) {
    return tags.split(",").some((tag) => {
      const trimmed = tag.trim();
      return trimmed === "*" || trimmed.replace(/^W\//, "") === document.etag;
    });
  }
  const since = headers["if-modified-since"];
  // An unreadable date is NaN, which no comparison satisfies.
  return since !== undefined && document.modified.getTime() <= Date.parse(since);
};
