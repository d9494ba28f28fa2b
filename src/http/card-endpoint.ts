import { createCardDocuments, type CardDocument } from "../card/card-document.js";
import { readCard, type CardSource } from "../card/card-source.js";
import type { HttpRequest, HttpResponse } from "./types.js";

/**
 * GET and HEAD of the public card with ETag, Last-Modified and `Cache-Control: public, max-age` (A2A-8.6.1);
 * a conditional request whose copy is still good is answered 304 without a body.
 */
export function createCardEndpoint(
  source: CardSource,
  maxAge: number,
): (request: HttpRequest) => Promise<HttpResponse> {
  const documentOf = createCardDocuments();
  return async ({ method, headers }) => {
    const document = documentOf(await readCard(source));
    const caching = {
      etag: document.etag,
      "last-modified": document.modified.toUTCString(),
      "cache-control": `public, max-age=${String(maxAge)}`,
      // Other versions of the card may be served at the same path.
      vary: "A2A-Version",
    };
    if (isFresh(document, headers)) return { status: 304, headers: caching, body: "" };
    return {
      status: 200,
      headers: {
        ...caching,
        "content-type": "application/json",
        "content-length": String(document.bytes),
        "x-content-type-options": "nosniff",
      },
      body: method === "HEAD" ? "" : document.text,
    };
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
