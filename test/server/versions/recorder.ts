/** A `fetch` that keeps every byte of its exchanges, and what in them is foreign to a version. */
import { compileRoutes } from "../../../src/binding/rest-routes.js";
import type { FetchInit, FetchLike } from "../../../src/client/fetch-like.js";
import type { MethodDescriptor, ServiceDescriptor } from "../../../src/descriptor.js";
import { strays } from "./stray.js";

export interface Exchange {
  readonly url: string;
  readonly request: FetchInit;
  readonly status: number;
  readonly headers: Headers;
  /** The whole body of the reply, once it has ended. */
  readonly reply: Promise<string>;
}

export interface Recorder {
  readonly fetch: FetchLike;
  readonly exchanges: readonly Exchange[];
}

export function createRecorder(): Recorder {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const { status, headers } = response;
      const [mine, theirs] = response.body?.tee() ?? [null, null];
      // A stream that the client leaves ends with an error; what came until then counts.
      const reply = textUntilEnd(mine);
      exchanges.push({ url, request: init, status, headers, reply });
      return new Response(theirs, { status, headers });
    },
  };
}

async function textUntilEnd(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // Aborted by the reader.
  }
  return text;
}

/** How names of other generations look wherever they stand: in errors, headers and free text too. */
const foreignText: Readonly<Record<string, RegExp>> = {
  "1.0": /"kind":|"final":|status-update|artifact-update|"input-required"|"auth-required"|"mimeType"|X-A2A/i,
  "0.x":
    /TASK_STATE_|ROLE_USER|ROLE_AGENT|statusUpdate|artifactUpdate|taskPushNotificationConfig|returnImmediately|"mediaType"|ErrorInfo/,
  "0.x/proto":
    /"kind":|"input-required"|status-update|artifact-update|taskPushNotificationConfig|returnImmediately|"mediaType"|TASK_STATE_CANCELED|ErrorInfo/,
};

/** Everything in an exchange that is not of the version of `service`, of its ProtoJSON form over HTTP+JSON. */
export async function foreignIn(
  exchange: Exchange,
  service: ServiceDescriptor,
  form: string,
): Promise<string[]> {
  const reply = await exchange.reply;
  const found = [exchange.request.body ?? "", reply].flatMap((text) => {
    const match = foreignText[form]?.exec(text);
    return match ? [`${match[0]} in ${text}`] : [];
  });
  const names = [...exchange.headers]
    .filter(([name]) => name.endsWith("a2a-extensions"))
    .map(([name]) => name);
  const wrongNames = names.filter((name) => name !== service.headers.extensions);
  const { method, input, outputs } = read(exchange, service, reply);
  return [
    ...found,
    ...wrongNames,
    ...strays(method.input, input).map((at) => `${method.name} request ${at}`),
    ...outputs.flatMap((output) => strays(method.output, output).map((at) => `${method.name} reply ${at}`)),
  ];
}

interface Read {
  readonly method: MethodDescriptor;
  readonly input: unknown;
  /** Results; errors are not among them. */
  readonly outputs: readonly unknown[];
}

function read({ url, request, status }: Exchange, service: ServiceDescriptor, reply: string): Read {
  const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
  const values = reply.includes("data: ")
    ? [...reply.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? "") as unknown)
    : [reply === "" ? undefined : (JSON.parse(reply) as unknown)];
  if (isRpc(body)) {
    const method = Object.values(service.methods).find(({ jsonrpc }) => jsonrpc === body.method);
    if (!method) throw new Error(`${service.version} has no method ${body.method}`);
    const outputs = values.flatMap((value) => {
      const { result } = value as { result?: unknown };
      return result === undefined ? [] : [result];
    });
    return { method, input: body.params, outputs };
  }
  const match = compileRoutes(service).match(request.method, new URL(url).pathname);
  if (!match) throw new Error(`${service.version} has no route ${request.method} ${url}`);
  const { method, route } = match;
  const field = route.body === undefined || route.body === "*" ? undefined : route.body;
  // A body that is one field may also be the whole request (version mapping 2.17).
  const whole = field === undefined || (typeof body === "object" && body !== null && field in body);
  const input = whole ? body : { [field]: body };
  return { method, input, outputs: status < 300 ? values : [] };
}

const isRpc = (body: unknown): body is { method: string; params: unknown } =>
  typeof body === "object" && body !== null && "jsonrpc" in body;
