import { A2AError } from "../errors.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "../http/types.js";
import { FetchPump } from "./fetch-pump.js";
import { tooLarge } from "./too-large.js";

/** What a framework knows of a request beside the request. */
export interface FetchHost {
  /** What handlers find as `ctx.context.host`. */
  readonly context?: unknown;
  /** The target as the core handler expects it. Default: that of the request. */
  readonly url?: string;
  /** Reads the body where somebody has read it before. */
  readonly body?: ((limit: number) => Promise<string>) | undefined;
}

/** Answers one request; where no route matches, `pass` does, if there is one. */
export async function serveFetch<Passed = never>(
  handle: HttpHandler,
  request: Request,
  { context, url = targetOf(request.url), body }: FetchHost,
  pass?: () => Promise<Passed>,
): Promise<Response | Passed> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (request.signal.aborted) abort();
  else request.signal.addEventListener("abort", abort, { once: true });
  const incoming: HttpRequest = {
    method: request.method,
    url,
    headers: Object.fromEntries(request.headers),
    body: body ?? ((limit) => readBody(request, limit)),
    signal: controller.signal,
    ...(context !== undefined && { context }),
  };
  const reply = await handle(incoming);
  return pass && reply.unrouted === true ? pass() : toResponse(reply, controller);
}

/** Path and query of an absolute URL. */
export const targetOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.indexOf("#", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
};

const readBody = async (request: Request, limit: number): Promise<string> => {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      void reader.cancel().catch(() => undefined);
      throw tooLarge(limit);
    }
    text += decodeUtf8(decoder, value);
  }
  return text + decodeUtf8(decoder);
};

const decodeUtf8 = (decoder: TextDecoder, bytes?: Uint8Array): string => {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (cause) {
    throw new A2AError("PARSE_ERROR", "Invalid JSON payload: the body is not UTF-8", { code: -32700, cause });
  }
};

const toResponse = ({ status, headers, body }: HttpResponse, caller: AbortController): Response => {
  if (typeof body === "string") {
    // A null body is required for 204 and 304, and keeps the announced length of HEAD.
    return new Response(body === "" ? null : body, { status, headers });
  }
  const pump = new FetchPump(body, caller);
  return new Response(new ReadableStream<Uint8Array>(pump, { highWaterMark: 0 }), { status, headers });
};
