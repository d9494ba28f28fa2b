import { expect } from "vitest";
import { A2A } from "../../generated/v1.0/service.js";
import type { Task } from "../../generated/v1.0/types.js";
import { createRouter } from "../../src/server/router.js";
import { defineAgent, serve, type AgentDefinition } from "a2a-typed/server";
import { textOf, userMessage } from "a2a-typed/v1";
import { expectedOf, inputOf, type FieldCase, type Run } from "./cases.js";

const V1 = { "a2a-version": "1.0" };

interface RpcReply {
  readonly id: unknown;
  readonly result?: { readonly task?: Task };
  readonly error?: {
    readonly code: number;
    readonly data?: readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[];
  };
}

/** Posts one JSON-RPC request as it is. */
async function post(url: string, body: unknown, headers: Record<string, string> = V1): Promise<RpcReply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as RpcReply;
}

const rpc = (url: string, method: string, params: unknown, headers?: Record<string, string>) =>
  post(url, { jsonrpc: "2.0", id: 1, method, params }, headers);

const skills = [{ id: "s", name: "S", description: "Does it.", tags: ["t"] }];

/** An agent on a socket; it echoes, and fails or waits where it is told to. */
async function startAgent(card: Partial<AgentDefinition["card"]> = {}, headers?: Record<string, string>) {
  const agent = defineAgent({
    card: { name: "A", description: "An agent.", skills, ...card },
    async handle(ctx, message) {
      const text = textOf(message);
      if (text === "fail") return ctx.failed();
      if (text === "wait") {
        ctx.working();
        await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      }
      return text;
    },
  });
  const server = await serve(agent, { port: 0 });
  const call = (method: string, params: unknown) => rpc(server.url, method, params, headers);
  return { url: server.url, call, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A task that has come to the state that the case wants in the store. */
async function taskIn(
  state: string,
  call: (method: string, params: unknown) => Promise<RpcReply>,
): Promise<string> {
  const text = { TASK_STATE_FAILED: "fail", TASK_STATE_CANCELED: "wait" }[state] ?? "done";
  const reply = await call("SendMessage", {
    message: userMessage(text),
    configuration: { returnImmediately: state === "TASK_STATE_CANCELED" },
  });
  const id = reply.result?.task?.id ?? "";
  if (state === "TASK_STATE_CANCELED") await call("CancelTask", { id });
  const task = (await call("GetTask", { id })).result as Task | undefined;
  expect(task?.status.state).toBe(state);
  return id;
}

interface Scenario {
  readonly store?: readonly { readonly status: { readonly state: string } }[];
  readonly call: { readonly method: string; readonly params: Record<string, unknown> };
  readonly card?: { readonly defaultInputModes: string[] };
  readonly cardExtensions?: { readonly uri: string; readonly required: boolean }[];
}

const codeOf = (fieldCase: FieldCase): number => expectedOf<{ code: number }>(fieldCase).code;

/** The call of the case, on an agent whose store holds a task in the state of the case. */
const scenario: Run = async (fieldCase) => {
  const { store = [], call, card, cardExtensions } = inputOf<Scenario>(fieldCase);
  await using agent = await startAgent({
    ...card,
    ...(cardExtensions && { capabilities: { extensions: cardExtensions } }),
  });
  let params = JSON.stringify(call.params);
  for (const { status } of store) params = params.replace("t1", await taskIn(status.state, agent.call));
  const reply = await agent.call(call.method, JSON.parse(params));
  if (fieldCase.expectation === "invalid") expect(reply.error?.code).toBe(codeOf(fieldCase));
  else expect(reply.error).toBeUndefined();
};

/** Refused by the operation, at the field that the case names. */
const refusedList: Run = async (fieldCase) => {
  await using agent = await startAgent();
  const { error } = await agent.call("ListTasks", fieldCase.input);
  const want = expectedOf<{ code: number; field: string }>(fieldCase);
  expect(error?.code).toBe(want.code);
  const fields = error?.data?.flatMap(({ fieldViolations = [] }) =>
    fieldViolations.map(({ field }) => field),
  );
  expect(fields).toContain(want.field);
};

/** What a router is called with for a route of HTTP+JSON. */
async function routed(fieldCase: FieldCase): Promise<{ operation: string; input: object }> {
  const { method, path, body } = inputOf<{ method: string; path: string; body?: unknown }>(fieldCase);
  let called: { operation: string; input: object } | undefined;
  const task: Task = { id: "t1", status: { state: "TASK_STATE_WORKING" } };
  const router = createRouter(
    A2A,
    {
      getTask: (input) => ((called = { operation: "GetTask", input }), task),
      cancelTask: (input) => ((called = { operation: "CancelTask", input }), task),
      async *subscribeToTask(input) {
        called = { operation: "SubscribeToTask", input };
        yield { task };
      },
    },
    {},
  );
  const response = await router.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: {
        ...V1,
        ...(body !== undefined && body !== null && { "content-type": "application/a2a+json" }),
      },
      ...(body !== undefined && body !== null && { body: JSON.stringify(body) }),
    }),
  );
  await response.text();
  expect(response.status).toBe(200);
  return called ?? expect.fail("no handler was called");
}

const route: Run = async (fieldCase) => {
  const { operation, ...input } = expectedOf<{ operation: string }>(fieldCase);
  expect(await routed(fieldCase)).toEqual({ operation, input });
};

const refusedVersion: Run = async (fieldCase) => {
  const { header } = inputOf<{ header: string | null }>(fieldCase);
  const headers: Record<string, string> = header === null ? {} : { "a2a-version": header };
  await using agent = await startAgent();
  const reply = await rpc(agent.url, "GetTask", { id: "t1" }, headers);
  expect(reply.error?.code).toBe(codeOf(fieldCase));
  expect((await fetch(`${agent.url}tasks/t1`.replace(/([^:/])tasks/, "$1/tasks"), { headers })).status).toBe(
    400,
  );
};

/** Cases of the 1.0 server. */
export const serverRuns: Record<string, Run> = {
  B063a: async (fieldCase) => {
    await using agent = await startAgent();
    const reply = await post(agent.url, fieldCase.input);
    expect(reply).toMatchObject({ id: null, error: { code: codeOf(fieldCase) } });
  },
  B063b: async ({ input }) => {
    await using agent = await startAgent();
    // Taken as a request: the answer is about the task, under the id as it came.
    expect(await post(agent.url, input)).toMatchObject({ id: 1.5, error: { code: -32001 } });
  },
  B070a: refusedVersion,
  B070b: refusedVersion,
  B070d: async () => {
    await using agent = await startAgent();
    const reply = await rpc(agent.url, "GetTask", { id: "t1" }, { "a2a-version": "1.0.1" });
    expect(reply.error?.code).toBe(-32001);
  },
  B084a: route,
  B084c: route,
  B085a: route,
  B085b: route,
  B092b: refusedList,
  B092c: refusedList,
  B092d: refusedList,
  B095: refusedList,
  B097a: scenario,
  B097d: async (fieldCase) => {
    await using agent = await startAgent();
    const { call } = inputOf<Scenario>(fieldCase);
    const { result } = await agent.call(call.method, call.params);
    expect(result?.task?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(result?.task?.contextId).toMatch(/^[0-9a-f-]{36}$/);
  },
  B098: scenario,
  B099: scenario,
  B101a: scenario,
  B101b: scenario,
  B117b: async () => {
    let thrown: unknown;
    const agent = defineAgent({
      card: { name: "A", description: "An agent.", skills },
      async handle(ctx) {
        const out = ctx.open({ artifactId: "a1" });
        void out.write("x");
        await out.close();
        try {
          await out.write("y");
        } catch (error) {
          thrown = error;
        }
        return ctx.completed();
      },
    });
    await using server = await serve(agent, { port: 0 });
    const { result } = await rpc(server.url, "SendMessage", { message: userMessage("go") });
    expect(thrown).toMatchObject({ message: "Artifact a1 is closed" });
    expect(textOf(result?.task)).toBe("x");
  },
  B159: scenario,
  B161b: scenario,
};
