import { createCardDocuments } from "../card/card-document.js";
import { JsonText } from "../json-text.js";
import { documentReply } from "./document-reply.js";
import type { HttpRequest, HttpResponse } from "./types.js";

/** Seconds for which a caller may keep the extended card. */
const MAX_AGE = 300;

/**
 * The reply of a call that gives the extended card, with what the caller's own cache needs (A2A-13.3-e, A2A-13.3-f):
 * shared caches must not keep it, and another card has another tag.
 */
export function privateCard(reply: HttpResponse, request: HttpRequest): HttpResponse {
  // A reply that is no stream is a text.
  if (typeof reply.body !== "string") return reply;
  const { "content-type": contentType = "application/json", vary = "", ...headers } = reply.headers;
  const document = createCardDocuments()(new JsonText(reply.body));
  const response = documentReply(document, request, {
    contentType,
    headers: {
      ...headers,
      "cache-control": `private, max-age=${String(MAX_AGE)}`,
      vary: vary === "" ? "Authorization" : `${vary}, Authorization`,
    },
  });
  // It is made for this call: when it last changed nobody knows.
  const { "last-modified": _, ...known } = response.headers;
  return { ...response, headers: known };
}
