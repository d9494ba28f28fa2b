import { mergeHeaders } from "../client/call-headers.js";
import type { FetchResponse, HttpOptions } from "../client/fetch-like.js";
import { textOf } from "../client/http-body.js";
import { excerpt, headersOf, httpError } from "../client/http-error.js";
import { sendHttp } from "../client/http-send.js";
import { parseUrl } from "../client/public-url.js";
import type { Transport, TransportRequest } from "../client/transport.js";
import { A2AError } from "../errors.js";
import type { SseEvent } from "../sse/read.js";
import { isEventStream, streamEvents } from "./event-stream-client.js";
import { fromRpcError } from "./from-rpc-error.js";

/**
 * JSON-RPC 2.0 over HTTP: every call is a `POST` to the URL as it is (A2A-9.1-a). The reply decides, whatever the HTTP
 * status (Q23); its `jsonrpc` and `id` must match the request (A2A-JR-c).
 */
export function jsonRpc(options: HttpOptions): Transport {
  const url = parseUrl(options.url);
  const base = mergeHeaders(options.headers);
  let lastId = 0;

  async function post(
    request: TransportRequest,
    accept: string,
  ): Promise<{ id: number; response: FetchResponse }> {
    const { service, method, methodName, input, headers, signal } = request;
    if (method.jsonrpc === undefined) {
      throw new A2AError("CONFIG", `${methodName} does not exist in JSON-RPC of A2A ${service.version}`);
    }
    const id = ++lastId;
    const bare = method.input.is === "object" && Object.keys(method.input.fields).length === 0;
    const params = bare ? undefined : input;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method: method.jsonrpc, params });
    const response = await sendHttp(options.fetch ?? globalThis.fetch, url, {
      method: "POST",
      headers: { accept, ...base, ...headers, "content-type": "application/json" },
      body,
      signal,
    });
    return { id, response };
  }

  return {
    binding: "JSONRPC",
    async unary(request) {
      const { id, response } = await post(request, "application/json");
      const text = await textOf(response, request.signal, options.maxBodyBytes);
      return { output: resultIn(text, request, response, id), headers: headersOf(response) };
    },
    async stream(request) {
      const { id, response } = await post(request, "text/event-stream, application/json");
      const refuse = (text: string): never => {
        resultIn(text, request, response, id);
        const type = response.headers.get("content-type") ?? "no content type";
        throw new A2AError("DECODE", `Expected text/event-stream, got ${type}${excerpt(text)}`);
      };
      if (!isEventStream(response)) {
        refuse(await textOf(response, request.signal, options.maxBodyBytes));
      }
      const parse = (event: SseEvent): unknown => frame(event, request, response, id);
      return {
        events: streamEvents(response, request, options.maxEventBytes, parse, refuse),
        headers: headersOf(response),
      };
    },
  };
}

interface Envelope {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The `result` of a body; throws its `error`, or what is wrong with it. */
function resultIn(text: string, request: TransportRequest, response: FetchResponse, id: number): unknown {
  const json = parsed(text);
  const failed = response.status < 200 || response.status > 299;
  if (failed && !isEnvelope(json)) throw httpError(response, text);
  if (json === undefined) {
    throw new A2AError(
      "DECODE",
      text === "" ? "The agent answered with an empty body" : `The agent's reply is not JSON${excerpt(text)}`,
      { status: response.status },
    );
  }
  return unwrap(json, request, response, id);
}

/** The payload of one event. An `event: error` may carry an envelope, an error object, or plain text. */
function frame(event: SseEvent, request: TransportRequest, response: FetchResponse, id: number): unknown {
  const json = parsed(event.data);
  if (event.event === "error" && !isEnvelope(json)) {
    throw fromRpcError(request.service, json ?? { code: -32603, message: event.data });
  }
  if (json === undefined) {
    throw new A2AError("DECODE", `An event of the stream is not JSON${excerpt(event.data)}`);
  }
  return unwrap(json, request, response, id);
}

function unwrap(json: unknown, request: TransportRequest, response: FetchResponse, id: number): unknown {
  const envelope: Envelope = typeof json === "object" && json !== null ? json : {};
  if (envelope.error !== undefined && envelope.error !== null) {
    // An agent that could not read the request does not know its id; an error for another call is not ours.
    if (envelope.id !== undefined && envelope.id !== null) checkId(envelope.id, id);
    throw fromRpcError(request.service, envelope.error, {
      status: response.status,
      headers: headersOf(response),
    });
  }
  if (envelope.jsonrpc !== "2.0") {
    throw new A2AError("DECODE", `The agent's reply is not JSON-RPC 2.0: "jsonrpc" must be "2.0"`);
  }
  checkId(envelope.id, id);
  if (envelope.result === undefined) {
    throw new A2AError("DECODE", `The agent's reply has neither "result" nor "error"`);
  }
  return envelope.result;
}

function checkId(got: unknown, id: number): void {
  if (got === id) return;
  const shown = got === undefined ? "no id" : JSON.stringify(got).slice(0, 100);
  throw new A2AError(
    "DECODE",
    `The agent's reply answers another call: expected id ${String(id)}, got ${shown}`,
  );
}

const isEnvelope = (json: unknown): boolean =>
  typeof json === "object" &&
  json !== null &&
  ("result" in json || typeof (json as { error?: { code?: unknown } | null }).error?.code === "number");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
