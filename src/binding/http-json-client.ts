import type { FetchResponse, HttpOptions } from "../client/fetch-like.js";
import { headersOf } from "../client/http-error.js";
import type { Transport } from "../client/transport.js";
import type { ServiceDescriptor } from "../descriptor.js";
import type { RestBase, RestDialect } from "../rest-form.js";
import { fromStatusBody } from "./from-status-body.js";
import { restTransport } from "./rest-transport-client.js";

/** Options of `httpJson`. */
export interface HttpJsonOptions extends HttpOptions {
  /** Media type of request bodies; default: that of the version (`application/a2a+json`). */
  readonly mediaType?: string | undefined;
  /**
   * For 0.x peers that write the bytes of a file as the base64 of its base64 text (a2a-python and a2a-go 0.3): they are
   * written and read so. Default false: once.
   */
  readonly doubleBase64?: boolean | undefined;
}

/**
 * HTTP+JSON: routes, path variables and queries as the service describes them. Where a method has several routes the
 * next one is tried after 404, 405 or 501 without an A2A reason (Q1). Replies may be `application/json` too. What 0.x
 * speaks over HTTP+JSON is another form than its JSON-RPC; its service loads that with the first call.
 */
export function httpJson(options: HttpJsonOptions): Transport {
  const own = restTransport(options, dialect);
  const base: RestBase<FetchResponse> = {
    transport: (other) => restTransport(options, other),
    dialect,
    doubleBase64: options.doubleBase64 ?? false,
  };
  let other: Transport | undefined;
  const speaking = async ({ form }: ServiceDescriptor): Promise<Transport> =>
    form === undefined ? own : (other ??= (await form()).rest(base));
  return {
    binding: own.binding,
    unary: async (request) => (await speaking(request.service)).unary(request),
    stream: async (request) => (await speaking(request.service)).stream(request),
  };
}

const dialect: RestDialect<FetchResponse> = {
  errorOf: ({ service }, response, json) =>
    fromStatusBody(service, response.status, json, headersOf(response)),
  isElsewhere: ({ service }, { reason, status }) =>
    (status === 404 || status === 405 || status === 501) && !Object.hasOwn(service.errors, reason),
};
