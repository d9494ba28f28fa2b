import { expect } from "vitest";
import { A2A } from "../../generated/v1.0/service.js";
import type { Message } from "../../generated/v1.0/types.js";
import { httpJson } from "../../src/binding/http-json-client.js";
import { jsonRpc } from "../../src/binding/json-rpc-client.js";
import { createClient } from "../../src/client/create-client.js";
import type { Client, ClientWarning } from "../../src/client/client-types.js";
import { A2AError } from "../../src/errors.js";
import { expectedOf, inputOf, type FieldCase, type Run } from "./cases.js";
import { startPeer, type PeerReply, type PeerRequest } from "./peer.js";

type V1Client = Client<typeof A2A>;

const message: Message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] };
const send = (client: V1Client) => client.sendMessage({ message });
const stream = (client: V1Client) => client.sendStreamingMessage({ message }).next();

/** What a call against a peer comes to: its error, and what the client was told on the way. */
export async function failure(
  reply: PeerReply,
  transport: typeof jsonRpc,
  call: (client: V1Client) => Promise<unknown>,
): Promise<{ error: A2AError; warnings: ClientWarning[] }> {
  await using peer = await startPeer(reply);
  const warnings: ClientWarning[] = [];
  await using client = createClient(A2A, transport({ url: peer.url }), {
    onWarning: (warning) => warnings.push(warning),
  });
  const outcome = await call(client).then(
    (value) => new Error(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof A2AError) return { error: outcome, warnings };
  throw outcome as Error;
}

/** What the client puts on the wire for a call. */
export async function sentBy(
  path: string,
  transport: typeof jsonRpc,
  call: (client: V1Client) => Promise<unknown>,
): Promise<PeerRequest> {
  await using peer = await startPeer({ status: 500 });
  await using client = createClient(A2A, transport({ url: peer.url + path }));
  await call(client).catch(() => undefined);
  const [request] = peer.requests;
  if (request === undefined) throw new Error("nothing was sent");
  return request;
}

const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
/** Reasons by the name that the reports give the error. */
const reasons: Record<string, string> = {
  UnsupportedOperationError: "UNSUPPORTED_OPERATION",
  TaskNotFoundError: "TASK_NOT_FOUND",
  TaskNotCancelableError: "TASK_NOT_CANCELABLE",
  InternalError: "INTERNAL_ERROR",
  HttpError: "HTTP",
};
const wanted = (fieldCase: FieldCase): string => {
  const name = expectedOf<{ throws: string }>(fieldCase).throws;
  return reasons[name] ?? name;
};

interface Exchange extends PeerReply {
  readonly contentType?: string;
}

/** The exchange of the case as it is; the call is a stream over JSON-RPC. */
const exchange: Run = async (fieldCase) => {
  const { status = 200, contentType, headers, body = "" } = inputOf<Exchange>(fieldCase);
  const reply = {
    status,
    headers: { ...headers, ...(contentType && { "content-type": contentType }) },
    body,
  };
  const { error } = await failure(reply, jsonRpc, stream);
  expect(error.reason).toBe(wanted(fieldCase));
};

const envelope: Run = async (fieldCase) => {
  const { error } = await failure({ headers: json, body: JSON.stringify(fieldCase.input) }, jsonRpc, send);
  const want = expectedOf<{ metadata?: unknown }>(fieldCase);
  expect(error.reason).toBe(wanted(fieldCase));
  if (want.metadata !== undefined) expect(error.metadata).toEqual(want.metadata);
};

const path = (request: PeerRequest): string => request.url.split("?")[0] ?? "";
const query = (request: PeerRequest): string => request.url.split("?")[1] ?? "";
/** Path of the URL that a case expects. */
const wantedPath = (fieldCase: FieldCase): string =>
  expectedOf<{ url: string }>(fieldCase).url.replace("https://a.example.com", "");

/** Cases of the 1.0 client, each against a peer on a socket. */
export const clientRuns: Record<string, Run> = {
  B053b: exchange,
  B053c: exchange,
  B054: async (fieldCase) => {
    const { status, contentType, headers, body } = inputOf<Exchange & { contentType: string }>(fieldCase);
    const reply = {
      status: status ?? 0,
      headers: { ...headers, "content-type": contentType },
      body: body ?? "",
    };
    const { error } = await failure(reply, jsonRpc, stream);
    expect(error).toMatchObject({ reason: "HTTP", status: 503, headers: { "retry-after": "5" } });
  },
  B055a: async (fieldCase) => {
    const { sse } = inputOf<{ sse: string }>(fieldCase);
    const { error } = await failure({ headers: events, body: sse }, httpJson, stream);
    expect(error.reason).toBe(wanted(fieldCase));
  },
  B058: async (fieldCase) => {
    // The client counts its requests with numbers; the frame answers the first of them.
    const sse = inputOf<{ sse: string }>(fieldCase).sse.replace('"id":"1"', '"id":1');
    const { error, warnings } = await failure({ headers: events, body: sse }, jsonRpc, stream);
    // An event of unknown members only is passed over with a warning; then nothing is left of the stream.
    expect(warnings.map(({ code }) => code)).toEqual(["unknown-event"]);
    expect(error.reason).toBe("STREAM_CUT");
  },
  B059: async ({ input }) => {
    const { error } = await failure({ headers: json, body: JSON.stringify(input) }, jsonRpc, send);
    expect(error).toMatchObject({ code: 502, message: "Bad Gateway" });
  },
  B062a: async (fieldCase) => {
    const { response } = inputOf<{ response: unknown }>(fieldCase);
    const { error } = await failure({ headers: json, body: JSON.stringify(response) }, jsonRpc, send);
    expect(error.reason).toBe("DECODE");
    expect(error.message).toContain("JSON-RPC 2.0");
  },
  B067a: async (fieldCase) => {
    const { status, contentType, body } = inputOf<{ status: number; contentType: string; body: unknown }>(
      fieldCase,
    );
    const reply = { status, headers: { "content-type": contentType }, body: JSON.stringify(body) };
    const { error } = await failure(reply, httpJson, (client) => client.cancelTask({ id: "t1" }));
    expect(error.reason).toBe(wanted(fieldCase));
    expect(error.metadata).toEqual({ taskId: "t1" });
  },
  B068a: envelope,
  B069: async (fieldCase) => {
    const { status, contentType, body } = inputOf<{ status: number; contentType: string; body: string }>(
      fieldCase,
    );
    const { error } = await failure(
      { status, headers: { "content-type": contentType }, body },
      httpJson,
      send,
    );
    expect(error).toMatchObject({ reason: "HTTP", status: 404 });
  },
  B083: async (fieldCase) => {
    const { tenant } = inputOf<{ tenant: string }>(fieldCase);
    const sent = await sentBy("/a2a/", httpJson, (client) => client.sendMessage({ tenant, message }));
    expect(sent.url).toBe(wantedPath(fieldCase));
  },
  B084d: async (fieldCase) => {
    const { id } = inputOf<{ id: string }>(fieldCase);
    const sent = await sentBy("", httpJson, (client) => client.cancelTask({ id }));
    expect(path(sent)).toBe(wantedPath(fieldCase));
  },
  B086a: async (fieldCase) => {
    const sent = await sentBy("/a2a/", httpJson, send);
    expect(sent.url).toBe(wantedPath(fieldCase));
  },
  B088: async (fieldCase) => {
    const { params } = inputOf<{ params: Parameters<V1Client["listTasks"]>[0] }>(fieldCase);
    const sent = await sentBy("", httpJson, (client) => client.listTasks(params));
    expect(path(sent)).toBe("/tasks");
    expect(query(sent)).toBe(expectedOf<{ query: string }>(fieldCase).query);
  },
  B109b: async (fieldCase) => {
    const sse = inputOf<{ events: unknown[] }>(fieldCase).events.map(
      (event) => `data: ${JSON.stringify(event)}\n\n`,
    );
    const { error } = await failure({ headers: events, body: sse }, httpJson, stream);
    expect(error).toMatchObject({ reason: "INVALID_AGENT_RESPONSE", code: -32006 });
  },
};
