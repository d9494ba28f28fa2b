import type { ServedVersion } from "../binding/served-version.js";
import type { Versions } from "../binding/version.js";
import { documentReply } from "./document-reply.js";
import { createCardDocuments, type CardDocument } from "../card/card-document.js";
import type { PublishedCard } from "../card/card-source.js";
import type { HttpRequest, HttpResponse } from "./types.js";
import { versionOf } from "./version-of.js";

/** Answers GET and HEAD of the card. */
export type CardEndpoint = (request: HttpRequest, query: string) => Promise<HttpResponse>;

/**
 * The public card with ETag, Last-Modified and `Cache-Control: public, max-age` (A2A-8.6.1), each version of it a
 * document of its own; a conditional request whose copy is still good is answered 304 without a body. A version that is
 * not served gets the card of the newest one, which says what is.
 */
export function createCardEndpoint(
  card: PublishedCard,
  versions: Versions<ServedVersion>,
  maxAge: number,
): CardEndpoint {
  const documents = new Map<string | undefined, (card: object) => CardDocument>();
  return async (request, query) => {
    const choice = versions.select(versionOf(request.headers, query));
    const version = choice.explicit ? (choice.version ?? versions.newest).version : undefined;
    const documentOf = documents.get(version) ?? createCardDocuments();
    documents.set(version, documentOf);
    const document = documentOf(await card(version));
    return documentReply(document, request, {
      contentType: "application/json",
      headers: { "cache-control": `public, max-age=${String(maxAge)}`, vary: "A2A-Version" },
    });
  };
}
