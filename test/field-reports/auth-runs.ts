import { expect } from "vitest";
import { bearer } from "a2a-typed/auth";
import { defineAgent, serve } from "a2a-typed/server";
import { userMessage } from "a2a-typed/v1";
import { quiet } from "../server/agents.js";
import { expectedOf, inputOf, type Run } from "./cases.js";

interface Case {
  readonly caller: string;
  readonly store: readonly { readonly owner: string }[];
  readonly call: { readonly method: string };
}

interface Reply {
  readonly result?: { readonly task?: { readonly id: string } };
  readonly error?: { readonly code: number };
}

/** The call of one caller on the working task of another. */
const onForeignTask: Run = async (fieldCase) => {
  const { caller, store, call } = inputOf<Case>(fieldCase);
  const names = [caller, ...store.map(({ owner }) => owner)];
  const agent = defineAgent({
    card: { name: "A", description: "An agent.", skills: [] },
    handle: async (ctx) => ctx.detached(),
  });
  await using server = await serve(agent, {
    port: 0,
    logger: quiet,
    auth: {
      schemes: { token: bearer(Object.fromEntries(names.map((principal) => [principal, { principal }]))) },
    },
  });
  const as = async (name: string, method: string, params: object): Promise<Reply> => {
    const response = await fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0", authorization: `Bearer ${name}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return (await response.json()) as Reply;
  };
  const [first] = store;
  const { result } = await as(first?.owner ?? "", "SendMessage", {
    message: userMessage("x"),
    configuration: { returnImmediately: true },
  });
  const { error } = await as(caller, call.method, { id: result?.task?.id });
  expect(error).toMatchObject(expectedOf<object>(fieldCase));
  const { error: none } = await as(first?.owner ?? "", "GetTask", { id: result?.task?.id });
  expect(none).toBeUndefined();
};

/** Cases of callers that are told apart. */
export const authRuns: Record<string, Run> = { B125a: onForeignTask, B125b: onForeignTask };
