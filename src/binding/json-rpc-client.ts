import { mergeHeaders } from "../client/call-headers.js";
import { defaultFetch } from "../client/default-fetch.js";
import type { FetchResponse, HttpOptions } from "../client/fetch-like.js";
import { textOf } from "../client/http-body.js";
import { headersOf, isSuccess, unexpected } from "../client/http-error.js";
import { sendHttp } from "../client/http-send.js";
import { parseJson } from "../client/parse-json.js";
import { parseUrl } from "../client/public-url.js";
import type { Transport, TransportRequest } from "../client/transport.js";
import { isEmptyMessage, isNothing } from "../codec/json.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { fromRpcError } from "./from-rpc-error.js";
import { isEventStream } from "./is-event-stream.js";
import { openEvents } from "./open-events-client.js";

/**
 * JSON-RPC 2.0 over HTTP: every call is a `POST` to the URL as it is (A2A-9.1-a). The reply decides, whatever the HTTP
 * status (Q23); its `jsonrpc` and `id` must match the request (A2A-JR-c).
 */
export function jsonRpc(options: HttpOptions): Transport {
  const url = parseUrl(options.url);
  const base = mergeHeaders(options.headers);
  let lastId = 0;

  async function post(request: TransportRequest, accept: string): Promise<Exchange> {
    const { service, method, methodName, input, headers, signal } = request;
    if (method.jsonrpc === undefined) {
      throw new A2AError("CONFIG", `${methodName} does not exist in JSON-RPC of A2A ${service.version}`);
    }
    const id = ++lastId;
    const params = isEmptyMessage(method.input) ? undefined : input;
    const response = await sendHttp(options.fetch ?? defaultFetch, url, {
      method: "POST",
      headers: { accept, ...base, ...headers, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method: method.jsonrpc, params }),
      signal,
    });
    return { service, id, response, mute: isNothing(method.output) };
  }

  const read = ({ response }: Exchange, { signal }: TransportRequest): Promise<string> =>
    textOf(response, signal, options.maxBodyBytes);

  return {
    binding: "JSONRPC",
    async unary(request) {
      const exchange = await post(request, "application/json");
      const output = resultOf(exchange, await read(exchange, request));
      return { output, headers: headersOf(exchange.response) };
    },
    async stream(request) {
      const exchange = await post(request, "text/event-stream, application/json");
      const { response } = exchange;
      const refuse = (text: string): never => fail(exchange, text, "text/event-stream");
      if (!isEventStream(response)) refuse(await read(exchange, request));
      return {
        events: await openEvents(response, request, {
          maxEventBytes: options.maxEventBytes,
          parse: ({ data, event }, json) => resultOf(exchange, data, json, event),
          mislabelled: refuse,
        }),
        headers: headersOf(response),
      };
    },
  };
}

interface Exchange {
  readonly service: ServiceDescriptor;
  readonly id: number;
  readonly response: FetchResponse;
  /** Whether a reply may lack its result: agents in Python and Go leave out a `null`. */
  readonly mute: boolean;
}

type Envelope = Readonly<Record<"jsonrpc" | "id" | "result" | "error", unknown>> | null | undefined;

/** The `result` of a body or of an event. */
function resultOf(exchange: Exchange, text: string, parse = parseJson, event?: string): unknown {
  const json = parse(text) as Envelope;
  if (event !== "error" && json?.jsonrpc === "2.0" && json.id === exchange.id) {
    if ((exchange.mute || json.result !== undefined) && json.error === undefined) return json.result;
  }
  return fail(exchange, text, `the JSON-RPC 2.0 reply to call ${String(exchange.id)}`, event);
}

/**
 * Throws the `error` of a body or event, else what is wrong with it. An agent that could not read the request does not
 * know its id; an error with another id is not ours. An `event: error` may hold an envelope, a bare error, or text.
 */
function fail({ service, id, response }: Exchange, text: string, expected: string, event?: string): never {
  const json = parseJson(text) as Envelope;
  const bare = event === "error" ? (json ?? { code: -32603, message: text }) : undefined;
  const error = (json?.error ?? bare) as { code?: unknown } | undefined;
  if (error && (json?.id ?? id) === id && (isSuccess(response) || typeof error.code === "number")) {
    throw fromRpcError(service, error, { status: response.status, headers: headersOf(response) });
  }
  throw unexpected(response, expected, text);
}
