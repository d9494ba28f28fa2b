import { isA2AError } from "../errors.js";
import { mergeHeaders } from "./call-headers.js";
import type { HttpOptions } from "./fetch-like.js";
import { textOf } from "./http-body.js";
import { headersOf, httpError } from "./http-error.js";
import { sendHttp } from "./http-send.js";
import { parseUrl } from "./public-url.js";
import type { Transport, TransportReply, TransportRequest } from "./transport.js";

/** Where 0.2 has the extended card, relative to the URL of the interface. */
const PATH = "/../agent/authenticatedExtendedCard";

/**
 * A transport that gets an extended card as 0.2 serves it, by a plain `GET`, where the peer has no method for that
 * (version mapping 5). `read` makes a card of the document.
 */
export function withOldExtendedCard(
  inner: Transport,
  options: HttpOptions,
  read: (text: string) => unknown,
): Transport {
  const url = parseUrl(options.url);
  url.pathname = url.pathname.replace(/\/$/, "") + PATH;
  const own = mergeHeaders(options.headers);

  async function get({ headers, signal }: TransportRequest): Promise<TransportReply> {
    const response = await sendHttp(options.fetch ?? fetch, url, {
      method: "GET",
      headers: { accept: "application/json", ...own, ...headers },
      signal,
    });
    const text = await textOf(response, signal, options.maxBodyBytes);
    if (response.status !== 200) throw httpError(response, text);
    return { output: await read(text), headers: headersOf(response) };
  }

  return {
    ...inner,
    async unary(request) {
      try {
        return await inner.unary(request);
      } catch (error) {
        const lacks = isA2AError(error, "UNSUPPORTED_OPERATION") || isA2AError(error, "METHOD_NOT_FOUND");
        if (!lacks || request.method.output !== request.service.card.table) throw error;
        return get(request);
      }
    },
  };
}
