import { createCardDocuments } from "../card/card-document.js";
import { JsonText } from "../json-text.js";
import type { CardEndpoint } from "./card-endpoint.js";
import { documentReply } from "./document-reply.js";

/** Public keys that are served, and where. */
export interface JwksSource {
  /** Path below the origin. */
  readonly path: string;
  /** The JWKS as JSON text. */
  readonly text: () => Promise<string>;
}

/** The JWKS (RFC 7517 8.5), for caches like the card. */
export function createJwksEndpoint({ text }: JwksSource, maxAge: number): CardEndpoint {
  const documentOf = createCardDocuments();
  return async (request) =>
    documentReply(documentOf(new JsonText(await text())), request, {
      contentType: "application/jwk-set+json",
      headers: { "cache-control": `public, max-age=${String(maxAge)}` },
    });
}
