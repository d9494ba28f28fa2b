/** What servers do to calls, and how a case is checked. */
import { Agent as Pool, setGlobalDispatcher } from "undici";
import { afterAll, expect } from "vitest";
import { connect, isA2AError, type Agent, type ConnectOptions } from "a2a-typed/client";
import { undiciFetch } from "a2a-typed/node";
import type { StreamResponse, Task, TaskState } from "a2a-typed/v1";
import { http, misbehave, type Behaviour, type RawRequest, type RawServer } from "./misbehaving-server.js";

export const TASK = "11111111-1111-4111-8111-111111111111";
export const CONTEXT = "22222222-2222-4222-8222-222222222222";

export const task = (state: TaskState = "TASK_STATE_COMPLETED", text?: string): Task => ({
  id: TASK,
  contextId: CONTEXT,
  status: { state },
  ...(text !== undefined && { artifacts: [{ artifactId: "a", parts: [{ text }] }] }),
});
export const ok = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result });
export const fault = (id: unknown, code: unknown, message = "Not today."): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

/** Ends with one reply. */
export const replies =
  (
    make: (request: RawRequest) => string | Buffer,
    headers?: Record<string, string>,
    status?: string,
  ): Behaviour =>
  (request) =>
    void request.socket.end(http(make(request), headers, status));
export const writes =
  (make: (request: RawRequest) => string | Buffer, end = false): Behaviour =>
  ({ socket, ...rest }) => {
    socket.write(make({ socket, ...rest }));
    if (end) socket.end();
  };
export const result = ({ id }: RawRequest): string => ok(id, task());
/** Writes one byte after the other until the client has gone. */
export const drips =
  (first: string, byte: string): Behaviour =>
  ({ socket }) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(byte), 10);
    socket.on("close", () => clearInterval(timer));
  };

export const kB = 1_000;
export const MB = 1_000 * kB;
/** Begins like this, and then writes a lot. */
export const floodsAfter =
  (first: string, bytes: number): Behaviour =>
  ({ socket }) => {
    socket.write(first);
    floods(socket, bytes);
  };
/** Writes a lot, no faster than it is read. */
export function floods(socket: RawRequest["socket"], bytes: number): void {
  const chunk = Buffer.alloc(64 * kB, "x");
  let left = bytes;
  const more = (): void => {
    while (left > 0 && socket.writable) {
      left -= chunk.length;
      if (!socket.write(chunk)) {
        socket.once("drain", more);
        return;
      }
    }
  };
  more();
}

export type Outcome = string | ((value: unknown, server: RawServer) => void);
/** A server, what comes of a call to it, and where the call or its options are special. */
export type Case = readonly [name: string, behaviour: Behaviour, outcome: Outcome, options?: ConnectOptions];

export const completed: Outcome = (value) =>
  expect((value as Task).status.state).toBe("TASK_STATE_COMPLETED");

const states = { working: "TASK_STATE_WORKING", completed: "TASK_STATE_COMPLETED" } as const;
export const word = (text: string, append = true, taskId = TASK): StreamResponse => ({
  artifactUpdate: {
    taskId,
    contextId: CONTEXT,
    artifact: { artifactId: "a", parts: [{ text }] },
    ...(append && { append }),
  },
});
export const state = (name: keyof typeof states): StreamResponse => ({
  statusUpdate: { taskId: TASK, contextId: CONTEXT, status: { state: states[name] } },
});
export const story: readonly StreamResponse[] = [
  { task: task("TASK_STATE_SUBMITTED") },
  state("working"),
  word("one ", false),
  word("two "),
  word("three"),
  state("completed"),
];
export const told: Task = {
  ...task(),
  artifacts: [{ artifactId: "a", parts: [{ text: "one " }, { text: "two " }, { text: "three" }] }],
};

export const frame = (id: unknown, event: unknown, n?: number, eol = "\n"): string =>
  `${n === undefined ? "" : `id: ${String(n)}${eol}`}data: ${ok(id, event)}${eol}${eol}`;
export const frames = (id: unknown, events: readonly StreamResponse[], from = 1, eol = "\n"): string =>
  events.map((event, n) => frame(id, event, from + n, eol)).join("");
export const bare = (id: unknown, events: readonly StreamResponse[]): string =>
  events.map((event) => frame(id, event)).join("");

export const cardOf = (url: string): object => ({
  name: "Odd",
  description: "",
  version: "1",
  capabilities: { streaming: true },
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
});

const pool = new Pool();
const own = undiciFetch();
// The pool that Node 20 brings along opens a connection that nobody asked for after one was ended.
setGlobalDispatcher(pool);
afterAll(() => Promise.all([pool.close(), own.close()]));

/** What sends the requests: without an option the pool of Node's fetch. */
export const senders: readonly (readonly [name: string, fetch: ConnectOptions["fetch"]])[] = [
  ["no option", undefined],
  ["undiciFetch", own],
];

/** Longest time that any outcome may take. */
const DEADLINE_MS = 8_000;

export async function check(
  fetch: ConnectOptions["fetch"],
  [, behaviour, outcome, options]: Case,
  call: (agent: Agent) => Promise<unknown>,
  byUrl = false,
): Promise<void> {
  await using server = await misbehave(behaviour);
  const begun = performance.now();
  const settled = await (async () => {
    const target = byUrl ? server.url : cardOf(server.url);
    return call(
      await connect(target, {
        fetch,
        timeoutMs: outcome === "TIMEOUT" ? 400 : 2_000,
        retry: false,
        ...options,
      }),
    );
  })().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  expect(performance.now() - begun).toBeLessThan(DEADLINE_MS);
  if (typeof outcome !== "string") {
    if ("error" in settled) throw settled.error;
    outcome(settled.value, server);
  } else {
    const { error } = settled as { error: unknown };
    if (!isA2AError(error)) throw new Error(`No A2AError: ${JSON.stringify(settled)}`, { cause: error });
    if (/^[A-Z0-9_]+$/.test(outcome)) expect(error.reason).toBe(outcome);
    else expect(error.message).toMatch(new RegExp(outcome));
    expect(error.message.length).toBeGreaterThan(9);
  }
  await server.idle();
  expect(server.open).toBe(0);
}

export const named = (cases: readonly Case[]) => cases.map((one) => [one[0], one] as const);
