import { createCardDocuments } from "../card/card-document.js";
import { JsonText } from "../json-text.js";
import { documentReply } from "./document-reply.js";
import type { HttpRequest, HttpResponse } from "./types.js";

/**
 * The reply of a call that gives the extended card, with what the caller's own cache needs (A2A-13.3-e, A2A-13.3-f):
 * shared caches must not keep it, and another card has another tag. What is kept is asked about each time: whoever calls for
 * several principals may tell them apart by a key that no `Vary` names.
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
      "cache-control": "private, no-cache",
      vary: vary === "" ? "Authorization" : `${vary}, Authorization`,
    },
  });
  // It is made for this call: when it last changed nobody knows.
  const { "last-modified": _, ...known } = response.headers;
  return { ...response, headers: known };
}
