/** Raw calls over a socket, of one shape for both bindings: what comes back is parsed text, so that key presence shows. */
import { expect } from "vitest";
import { serve, type Agent, type ServeOptions } from "../../src/server.js";
import { quiet } from "../server/agents.js";

export const bindings = ["JSONRPC", "HTTP+JSON"] as const;
export type BindingName = (typeof bindings)[number];

/** JSON of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body, parsed. */
  readonly json: Json;
  /** The body of a success: JSON-RPC without its envelope. */
  readonly result: Json;
}

/** One event of a stream. */
export interface Frame {
  readonly id: string | undefined;
  /** The `StreamResponse`; undefined where the frame is an error. */
  readonly event: Json;
  /** The whole payload. */
  readonly data: Json;
}

export interface Opened {
  /** The plain answer where no stream was opened. */
  readonly refused: Answer | undefined;
  readonly headers: Headers;
  /** The next event, comments passed over; undefined at the end. */
  next(): Promise<Frame | undefined>;
  /** All events to the end. */
  rest(): Promise<Frame[]>;
  /** The next comment, before any further event. */
  comment(): Promise<string>;
  /** Goes away, as a client whose socket closes. */
  close(): Promise<void>;
}

type Route = readonly [verb: string, path: (input: Json) => string];
const segment = (value: unknown): string => encodeURIComponent(String(value));
const configs = ({ taskId }: Json): string => `/tasks/${segment(taskId)}/pushNotificationConfigs`;
const config = (input: Json): string => `${configs(input)}/${segment(input.id)}`;
const routes: Readonly<Record<string, Route>> = {
  SendMessage: ["POST", () => "/message:send"],
  SendStreamingMessage: ["POST", () => "/message:stream"],
  GetTask: ["GET", ({ id }) => `/tasks/${segment(id)}`],
  ListTasks: ["GET", () => "/tasks"],
  CancelTask: ["POST", ({ id }) => `/tasks/${segment(id)}:cancel`],
  SubscribeToTask: ["POST", ({ id }) => `/tasks/${segment(id)}:subscribe`],
  CreateTaskPushNotificationConfig: ["POST", configs],
  GetTaskPushNotificationConfig: ["GET", config],
  ListTaskPushNotificationConfigs: ["GET", configs],
  DeleteTaskPushNotificationConfig: ["DELETE", config],
  GetExtendedAgentCard: ["GET", () => "/extendedAgentCard"],
};

/** The eleven operations. */
export const operationNames = Object.keys(routes);

type Extra = Readonly<Record<string, string>>;

function request(url: string, binding: BindingName, name: string, input: Json, headers: Extra) {
  const sent = { "a2a-version": "1.0", "content-type": "application/json", ...headers };
  if (binding === "JSONRPC") {
    const body = JSON.stringify({ jsonrpc: "2.0", id: "call-1", method: name, params: input });
    return fetch(url, { method: "POST", headers: sent, body });
  }
  const [verb = "", path = () => ""] = routes[name] ?? [];
  if (verb === "POST")
    return fetch(url + path(input), { method: verb, headers: sent, body: JSON.stringify(input) });
  const inPath = path(input);
  const rest = Object.entries(input as object).filter(
    ([key]) => inPath === "/tasks" || !["id", "taskId"].includes(key),
  );
  const query = new URLSearchParams(rest.map(([key, value]) => [key, String(value)])).toString();
  return fetch(url + inPath + (query && `?${query}`), { method: verb, headers: sent });
}

async function answerOf(response: Response, binding: BindingName): Promise<Answer> {
  const text = await response.text();
  const json: Json = text === "" ? undefined : JSON.parse(text);
  // What is refused before the body is read cannot know the id.
  if (binding === "JSONRPC" && json !== undefined)
    expect(json).toMatchObject({ jsonrpc: "2.0", id: response.ok || json.id !== null ? "call-1" : null });
  return {
    status: response.status,
    headers: response.headers,
    json,
    result: binding === "JSONRPC" ? json?.result : response.ok ? json : undefined,
  };
}

export interface Host {
  readonly url: string;
  readonly binding: BindingName;
  call(name: string, input?: Json, headers?: Extra): Promise<Answer>;
  /** As `call`, for what must succeed: its result. */
  ok(name: string, input?: Json, headers?: Extra): Promise<Json>;
  stream(name: string, input?: Json, headers?: Extra): Promise<Opened>;
  /** Sends a text and gives the task of the reply. */
  send(text: string, message?: object, configuration?: object): Promise<Json>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Calls over one binding to a URL. */
export const callerOf = (
  url: string,
  binding: BindingName,
): Omit<Host, "close" | typeof Symbol.asyncDispose> => {
  const call: Host["call"] = async (name, input = {}, headers = {}) =>
    answerOf(await request(url, binding, name, input, headers), binding);
  const ok: Host["ok"] = async (name, input, headers) => {
    const answer = await call(name, input, headers);
    expect(answer.json).not.toHaveProperty("error");
    expect(answer.status).toBe(200);
    return answer.result;
  };
  return {
    url,
    binding,
    call,
    ok,
    stream: async (name, input = {}, headers = {}) =>
      opened(await request(url, binding, name, input, headers), binding),
    send: async (text, message, configuration) =>
      (await ok("SendMessage", { ...say(text, message), ...(configuration && { configuration }) })).task,
  };
};

/** An agent on a socket, called over one binding. */
export async function host(
  binding: BindingName,
  agent: Agent,
  options: Partial<ServeOptions> = {},
): Promise<Host> {
  const server = await serve(agent, { port: 0, logger: quiet, sweepMs: 0, ...options });
  const close = (): Promise<void> => server.close();
  return { ...callerOf(server.url, binding), close, [Symbol.asyncDispose]: close };
}

let count = 0;
/** A send request of one text. */
export const say = (text: string, message: object = {}) => ({
  message: { messageId: `m${String((count += 1))}`, role: "ROLE_USER", parts: [{ text }], ...message },
});

async function opened(response: Response, binding: BindingName): Promise<Opened> {
  const { headers } = response;
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    const none = () => Promise.reject(new Error("there is no stream"));
    const refused = await answerOf(response, binding);
    return { refused, headers, next: none, rest: none, comment: none, close: () => Promise.resolve() };
  }
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  /** The lines of the next block, of an event or a comment. */
  const block = async (): Promise<string[] | undefined> => {
    for (let end = buffer.indexOf("\n\n"); ; end = buffer.indexOf("\n\n")) {
      if (end >= 0) {
        const lines = buffer.slice(0, end).split("\n");
        buffer = buffer.slice(end + 2);
        return lines;
      }
      const read = await reader?.read();
      if (read === undefined || read.done) {
        expect(buffer).toBe("");
        return undefined;
      }
      buffer += read.value;
    }
  };
  const next = async (): Promise<Frame | undefined> => {
    for (let lines = await block(); lines !== undefined; lines = await block()) {
      const data = lines.find((line) => line.startsWith("data: "));
      if (data === undefined) continue;
      const payload: Json = JSON.parse(data.slice(6));
      if (binding === "JSONRPC") expect(payload).toMatchObject({ jsonrpc: "2.0", id: "call-1" });
      const event = binding === "JSONRPC" ? payload.result : "error" in payload ? undefined : payload;
      return { id: lines.find((line) => line.startsWith("id: "))?.slice(4), event, data: payload };
    }
    return undefined;
  };
  const comment = async (): Promise<string> => {
    const lines = await block();
    expect(lines?.every((line) => line.startsWith(":"))).toBe(true);
    return (lines ?? []).join("\n");
  };
  const rest = async (): Promise<Frame[]> => {
    const frames: Frame[] = [];
    for (let frame = await next(); frame !== undefined; frame = await next()) frames.push(frame);
    return frames;
  };
  return { refused: undefined, headers, next, rest, comment, close: async () => reader?.cancel() };
}

/** An event in short: its member, and its state or text. */
export const short = ({ event }: Frame): string => {
  const keys = Object.keys(event as object);
  expect(keys).toHaveLength(1);
  const [key = ""] = keys;
  const { status, artifact, parts } = event[key];
  return `${key} ${status ? status.state.replace("TASK_STATE_", "") : textOf(artifact ?? { parts })}`;
};

/** The texts of a message or artifact. */
export const textOf = (value: Json): string =>
  ((value?.parts ?? []) as Json[]).map((part) => String(part.text ?? "")).join("");

/** Texts of a task's history. */
export const historyOf = (task: Json): string[] => (task.history as Json[]).map(textOf);

const INFO = "type.googleapis.com/google.rpc.ErrorInfo";
const table: Readonly<Record<string, readonly [code: number, http: number, status: string]>> = {
  TASK_NOT_FOUND: [-32001, 404, "NOT_FOUND"],
  TASK_NOT_CANCELABLE: [-32002, 400, "FAILED_PRECONDITION"],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 400, "FAILED_PRECONDITION"],
  UNSUPPORTED_OPERATION: [-32004, 400, "FAILED_PRECONDITION"],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400, "INVALID_ARGUMENT"],
  INVALID_AGENT_RESPONSE: [-32006, 500, "INTERNAL"],
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: [-32007, 400, "FAILED_PRECONDITION"],
  EXTENSION_SUPPORT_REQUIRED: [-32008, 400, "FAILED_PRECONDITION"],
  VERSION_NOT_SUPPORTED: [-32009, 400, "FAILED_PRECONDITION"],
  INVALID_PARAMS: [-32602, 400, "INVALID_ARGUMENT"],
  INTERNAL_ERROR: [-32603, 500, "INTERNAL"],
  UNAVAILABLE: [-32603, 503, "UNAVAILABLE"],
};

/** The error object of an answer, whatever the binding calls its parts. */
export function errorOf(answer: { readonly json?: Json; readonly data?: Json }): {
  readonly message: string;
  readonly details: Json[];
} {
  const { error } = answer.json ?? answer.data;
  return { message: error.message, details: error.data ?? error.details ?? [] };
}

/**
 * The reason of a refusal, after a check that its code, HTTP status, status name and details are those of the binding.
 * `UNAVAILABLE` and `INTERNAL_ERROR` look alike over JSON-RPC.
 */
export function reasonOf(answer: Answer | undefined): string {
  if (answer === undefined) return "no answer";
  const { json, status } = answer;
  if (json?.error === undefined) return `no error: ${JSON.stringify(json)}`;
  expect(answer.headers.get("content-type")).toMatch(/^application\/(a2a\+)?json/);
  const isRpc = "jsonrpc" in json;
  const { message, details } = errorOf(answer);
  expect(message).toMatch(/\S/);
  for (const detail of details) expect(typeof detail["@type"]).toBe("string");
  const info = details.find((detail) => detail["@type"] === INFO);
  if (info) expect(info.domain).toBe("a2a-protocol.org");
  const found = Object.entries(table).find(([name, [code, http, word]]) =>
    info
      ? info.reason === name
      : code <= -32600 &&
        (isRpc ? json.error.code === code : json.error.code === http && json.error.status === word),
  );
  if (found === undefined) return JSON.stringify(json.error);
  const [name, [code, http, word]] = found;
  expect(json.error).toMatchObject(isRpc ? { code } : { code: http, status: word });
  expect(status).toBe(isRpc ? 200 : http);
  if (code > -32600) expect(info).toBeDefined();
  return name;
}

/** Names of the refused fields. */
export const fieldsOf = (answer: Answer): string[] =>
  errorOf(answer)
    .details.filter((detail) => detail["@type"] === "type.googleapis.com/google.rpc.BadRequest")
    .flatMap(({ fieldViolations }) => (fieldViolations as Json[]).map(({ field }) => String(field)));
