import { mergeHeaders } from "../client/call-headers.js";
import { defaultFetch } from "../client/default-fetch.js";
import type { FetchResponse, HttpOptions } from "../client/fetch-like.js";
import { textOf } from "../client/http-body.js";
import { headersOf, httpError, isSuccess, unexpected } from "../client/http-error.js";
import { sendHttp } from "../client/http-send.js";
import { parseJson } from "../client/parse-json.js";
import { parseUrl } from "../client/public-url.js";
import type { Transport, TransportRequest } from "../client/transport.js";
import type { RestRoute } from "../descriptor.js";
import { A2AError } from "../errors.js";
import type { RestDialect } from "../rest-form.js";
import type { ParseJson } from "../sse/parse-alike.js";
import type { SseEvent } from "../sse/read.js";
import { isEventStream } from "./is-event-stream.js";
import { openEvents } from "./open-events-client.js";
import { restTarget, type RestTarget } from "./rest-url-client.js";

/** Options of the transport. */
export interface RestOptions extends HttpOptions {
  readonly mediaType?: string | undefined;
}

/** HTTP+JSON with the routes of the service of each call; where a method has several, the next may be tried. */
export function restTransport(options: RestOptions, dialect: RestDialect<FetchResponse>): Transport {
  const base = parseUrl(options.url);
  const own = mergeHeaders(options.headers);
  const read = (response: FetchResponse, signal: AbortSignal): Promise<string> =>
    textOf(response, signal, options.maxBodyBytes);

  function send({ url, body }: RestTarget, request: TransportRequest, route: RestRoute, accept: string) {
    const { service, headers, signal } = request;
    const type = options.mediaType ?? service.restMediaType;
    const json = accept === "" ? types(service.restMediaType) : `${accept}, ${types(service.restMediaType)}`;
    const hasBody = body !== undefined;
    return sendHttp(options.fetch ?? defaultFetch, url, {
      method: route.verb,
      headers: { accept: json, ...own, ...headers, ...(hasBody && { "content-type": type }) },
      ...(hasBody && { body: JSON.stringify(body) }),
      signal,
    });
  }

  async function exchange(request: TransportRequest, accept: string): Promise<FetchResponse> {
    const { service, methodName, method, input, signal } = request;
    const [first, ...others] = method.rest ?? [];
    if (first === undefined)
      throw new A2AError("CONFIG", `${methodName} does not exist in HTTP+JSON of A2A ${service.version}`);
    let route = first;
    let target: RestTarget | undefined = restTarget(base, service, method, route, input);
    for (;;) {
      const response = await send(target, request, route, accept);
      if (isSuccess(response)) return response;
      const failure = failureOf(request, response, await read(response, signal));
      const next = others.shift();
      target =
        next && dialect.isElsewhere(request, failure, route, next) ? targetOf(request, next) : undefined;
      if (next === undefined || target === undefined) throw failure;
      route = next;
    }
  }

  /** Undefined where the route is none for this input. */
  function targetOf({ service, method, input }: TransportRequest, route: RestRoute): RestTarget | undefined {
    try {
      return restTarget(base, service, method, route, input);
    } catch {
      return undefined;
    }
  }

  function failureOf(request: TransportRequest, response: FetchResponse, text: string): A2AError {
    const json = parseJson(text);
    return typeof json === "object" && json !== null
      ? dialect.errorOf(request, response, json)
      : httpError(response, text);
  }

  /** The value of a body, undefined for an empty one; throws an error body even under a status of success. */
  function payload(text: string, request: TransportRequest, response: FetchResponse): unknown {
    if (text.trim() === "") return undefined;
    const json = parseJson(text);
    if (json === undefined) throw unexpected(response, "JSON", text);
    if (isErrorBody(json)) throw dialect.errorOf(request, response, json);
    return json;
  }

  /** The payload of one event; an error frame holds the same object as an error reply (Q24). */
  function frame(
    event: SseEvent,
    request: TransportRequest,
    response: FetchResponse,
    parse: ParseJson,
  ): unknown {
    const json = parse(event.data);
    if (event.event === "error" || isErrorBody(json)) {
      const bare = json ?? { message: event.data, code: 500 };
      throw dialect.errorOf(request, response, isErrorBody(json) ? json : { error: bare });
    }
    if (json === undefined) throw unexpected(response, "events of JSON", event.data);
    return json;
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
      return {
        events: await openEvents(response, request, {
          maxEventBytes: options.maxEventBytes,
          parse: (event, json) => frame(event, request, response, json),
          mislabelled: refuse,
        }),
        headers: headersOf(response),
      };
    },
  };
}

const types = (own: string): string => (own === "application/json" ? own : `${own}, application/json`);

// No message of A2A has a member `error`.
const isErrorBody = (json: unknown): json is object =>
  typeof json === "object" && json !== null && typeof (json as { error?: unknown }).error === "object";
