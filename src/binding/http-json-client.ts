import { mergeHeaders } from "../client/call-headers.js";
import type { FetchResponse, HttpOptions } from "../client/fetch-like.js";
import { textOf } from "../client/http-body.js";
import { headersOf, httpError, isSuccess, unexpected } from "../client/http-error.js";
import { sendHttp } from "../client/http-send.js";
import { parseJson } from "../client/parse-json.js";
import { parseUrl } from "../client/public-url.js";
import type { Transport, TransportRequest } from "../client/transport.js";
import type { RestRoute } from "../descriptor.js";
import { A2AError } from "../errors.js";
import type { SseEvent } from "../sse/read.js";
import { isEventStream, streamEvents } from "./event-stream-client.js";
import { fromStatusBody } from "./from-status-body.js";
import { restTarget } from "./rest-url-client.js";

/** Options of `httpJson`. */
export interface HttpJsonOptions extends HttpOptions {
  /** Media type of request bodies; default: that of the version (`application/a2a+json`). */
  readonly mediaType?: string | undefined;
}

/**
 * HTTP+JSON: routes, path variables and queries as the service describes them. Where a method has several routes the
 * next one is tried after 404, 405 or 501 without an A2A reason (Q1). Replies may be `application/json` too.
 */
export function httpJson(options: HttpJsonOptions): Transport {
  const base = parseUrl(options.url);
  const own = mergeHeaders(options.headers);
  const read = (response: FetchResponse, signal: AbortSignal): Promise<string> =>
    textOf(response, signal, options.maxBodyBytes);

  function send(request: TransportRequest, route: RestRoute, accept: string): Promise<FetchResponse> {
    const { service, method, input, headers, signal } = request;
    const { url, body } = restTarget(base, service, method, route, input);
    const type = options.mediaType ?? service.restMediaType;
    const json = accept === "" ? types(service.restMediaType) : `${accept}, ${types(service.restMediaType)}`;
    return sendHttp(options.fetch ?? fetch, url, {
      method: route.verb,
      headers: { accept: json, ...own, ...headers, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
  }

  async function exchange(request: TransportRequest, accept: string): Promise<FetchResponse> {
    const { service, methodName, method, signal } = request;
    let failure = new A2AError(
      "CONFIG",
      `${methodName} does not exist in HTTP+JSON of A2A ${service.version}`,
    );
    for (const route of method.rest ?? []) {
      const response = await send(request, route, accept);
      const { status } = response;
      if (isSuccess(response)) return response;
      failure = errorOf(request, response, await read(response, signal));
      const elsewhere = status === 404 || status === 405 || status === 501;
      if (!elsewhere || Object.hasOwn(service.errors, failure.reason)) break;
    }
    throw failure;
  }

  return {
    binding: "HTTP+JSON",
    async unary(request) {
      const response = await exchange(request, "");
      const text = await read(response, request.signal);
      return { output: payload(text, request, response), headers: headersOf(response) };
    },
    async stream(request) {
      const response = await exchange(request, "text/event-stream");
      const refuse = (text: string): never => {
        payload(text, request, response);
        throw unexpected(response, "text/event-stream", text);
      };
      if (!isEventStream(response)) refuse(await read(response, request.signal));
      const parse = (event: SseEvent): unknown => frame(event, request, response);
      return {
        events: streamEvents(response, request, options.maxEventBytes, parse, refuse),
        headers: headersOf(response),
      };
    },
  };
}

const types = (own: string): string => (own === "application/json" ? own : `${own}, application/json`);

/** The value of a body, undefined for an empty one; throws an error body even under a status of success. */
function payload(text: string, request: TransportRequest, response: FetchResponse): unknown {
  if (text.trim() === "") return undefined;
  const json = parseJson(text);
  if (json === undefined) throw unexpected(response, "JSON", text);
  if (isErrorBody(json)) throw fromStatusBody(request.service, response.status, json, headersOf(response));
  return json;
}

/** The payload of one event; an error frame holds the same object as an error reply (Q24). */
function frame(event: SseEvent, request: TransportRequest, response: FetchResponse): unknown {
  const json = parseJson(event.data);
  if (event.event === "error" || isErrorBody(json)) {
    const body = isErrorBody(json) ? json : { error: json ?? { message: event.data, code: 500 } };
    throw fromStatusBody(request.service, response.status, body, headersOf(response));
  }
  if (json === undefined) throw unexpected(response, "events of JSON", event.data);
  return json;
}

function errorOf(request: TransportRequest, response: FetchResponse, text: string): A2AError {
  const json = parseJson(text);
  return typeof json === "object" && json !== null
    ? fromStatusBody(request.service, response.status, json, headersOf(response))
    : httpError(response, text);
}

// No message of A2A has a member `error`.
const isErrorBody = (json: unknown): boolean =>
  typeof json === "object" && json !== null && typeof (json as { error?: unknown }).error === "object";
