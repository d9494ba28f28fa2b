import { type Agent, defineAgent, serve, type RunningServer, type ServeOptions } from "../../src/server.js";
import { textOf } from "../../src/versions/pivot.js";
import { ask, eventsOf, type Answer } from "../rpc/support.js";
import { quiet, skill } from "../server/agents.js";

/** What a caller sees of one unary operation, without what the binding wraps it in. */
export interface Seen {
  readonly http: number;
  readonly headers: Answer["headers"];
  /** The whole body, as text. */
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly details: readonly Detail[] };
}

export interface Detail {
  readonly "@type": string;
  readonly reason?: string;
  readonly domain?: string;
  readonly fieldViolations?: readonly { readonly field: string }[];
}

type Input = Readonly<Record<string, unknown>>;
type Route = readonly [verb: string, path: (input: Input) => string, rest?: readonly string[]];

const id = ({ id: value }: Input): string => encodeURIComponent(String(value));
const task = ({ taskId }: Input): string => encodeURIComponent(String(taskId));
const configs = (input: Input): string => `/tasks/${task(input)}/pushNotificationConfigs`;

/** The table of operations: JSON-RPC method → verb and path of HTTP+JSON, as the specification has it. */
export const routes: Readonly<Record<string, Route>> = {
  SendMessage: ["POST", () => "/message:send"],
  SendStreamingMessage: ["POST", () => "/message:stream"],
  GetTask: ["GET", (input) => `/tasks/${id(input)}`, ["id"]],
  ListTasks: ["GET", () => "/tasks"],
  CancelTask: ["POST", (input) => `/tasks/${id(input)}:cancel`, ["id"]],
  SubscribeToTask: ["POST", (input) => `/tasks/${id(input)}:subscribe`, ["id"]],
  CreateTaskPushNotificationConfig: ["POST", configs, ["taskId"]],
  GetTaskPushNotificationConfig: ["GET", (input) => `${configs(input)}/${id(input)}`, ["taskId", "id"]],
  ListTaskPushNotificationConfigs: ["GET", configs, ["taskId"]],
  DeleteTaskPushNotificationConfig: ["DELETE", (input) => `${configs(input)}/${id(input)}`, ["taskId", "id"]],
  GetExtendedAgentCard: ["GET", () => "/extendedAgentCard"],
};

export const bindings = ["JSON-RPC", "HTTP+JSON"] as const;
export type BindingName = (typeof bindings)[number];

const V1 = { "a2a-version": "1.0" };

/** One request of an operation over a binding, as the bytes that a client would send. */
export function send(
  server: { readonly port: number },
  binding: BindingName,
  operation: string,
  input: Input = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  if (binding === "JSON-RPC") {
    const body = { jsonrpc: "2.0", id: "c-1", method: operation, params: input };
    return ask(server, "/", {
      method: "POST",
      headers: { ...V1, "content-type": "application/json", ...headers },
      body,
    });
  }
  const [verb, path, taken = []] = routes[operation] ?? ["GET", () => `/no/such/${operation}`];
  const rest = Object.entries(input).filter(([name]) => !taken.includes(name));
  if (verb === "POST") {
    return ask(server, path(input), {
      method: verb,
      headers: { ...V1, "content-type": "application/a2a+json", ...headers },
      body: Object.fromEntries(rest),
    });
  }
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString();
  return ask(server, path(input) + (query === "" ? "" : `?${query}`), {
    method: verb,
    headers: { ...V1, ...headers },
  });
}

/** The outcome of a unary operation. */
export async function call(...request: Parameters<typeof send>): Promise<Seen> {
  const { status: http, headers, text, json } = await send(...request);
  const common = { http, headers, text };
  if (request[1] === "JSON-RPC") {
    const { result, error } = json;
    return error === undefined
      ? { ...common, result }
      : { ...common, error: { code: error.code, message: error.message, details: error.data ?? [] } };
  }
  const { error } = json;
  return error === undefined
    ? { ...common, result: json }
    : { ...common, error: { code: error.code, message: error.message, details: error.details ?? [] } };
}

/** The events of a stream that ends. */
export async function stream(
  ...request: Parameters<typeof send>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
): Promise<{ readonly answer: Answer; readonly events: readonly any[] }> {
  const answer = await send(...request);
  const events = eventsOf(answer.text).map(({ data }) => (request[1] === "JSON-RPC" ? data.result : data));
  return { answer, events };
}

/** A subscription whose first event has come. */
export const follow = (
  server: { readonly url: string },
  binding: BindingName,
  id: string,
): Promise<Response> =>
  binding === "JSON-RPC"
    ? fetch(server.url, {
        method: "POST",
        headers: { ...V1, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: "s", method: "SubscribeToTask", params: { id } }),
      })
    : fetch(`${server.url}/tasks/${id}:subscribe`, { headers: V1 });

/** A message of a user. */
export const said = (text: string, more: object = {}) => ({
  message: { messageId: `m-${text}`, role: "ROLE_USER", parts: [{ text }], ...more },
});

/** Does what the text says: `ask`, `wait` (until canceled), `message`, `data`, else completes with an artifact. */
export const agent: Agent = defineAgent({
  replies: "auto",
  card: {
    name: "Bindings",
    description: "An agent that does what it is told",
    skills: [skill],
    capabilities: { streaming: true },
  },
  async handle(ctx, message) {
    const text = textOf(message);
    if (text === "message") return ctx.message("just words");
    if (text === "ask") return ctx.inputRequired("Which one?");
    if (text === "wait") {
      ctx.working("on it", { metadata: { some_key: 1 } });
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      return;
    }
    ctx.working("on it", { metadata: { some_key: 1 } });
    ctx.artifact([{ data: { some_key: null } }, { text: "" }], { name: "made" });
    return ctx.completed("done");
  },
});

/** Serves the agent with everything on. */
export const start = (options: Partial<ServeOptions> = {}): Promise<RunningServer> =>
  serve(agent, {
    port: 0,
    logger: quiet,
    push: { allow: ["127.0.0.1"] },
    extendedCard: () => ({ ...agent.card, description: "More of it" }),
    allowPublicExtendedCard: true,
    ...options,
  });
