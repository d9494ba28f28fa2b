import { expect } from "vitest";
import { defineAgent, serve, type DeadLetter, type PushOptions } from "a2a-typed/server";
import { userMessage, type Task } from "a2a-typed/v1";
import { receiver } from "../push/receiver.js";
import { quiet } from "../server/agents.js";
import { expectedOf, inputOf, type FieldCase, type Run } from "./cases.js";

interface RpcReply {
  readonly result?: { readonly task?: Task };
  readonly error?: {
    readonly code: number;
    readonly data?: readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[];
  };
}

/** Sends a message with a webhook to an agent on a socket. */
async function send(webhook: object, push: PushOptions | true = true) {
  const agent = defineAgent({
    card: { name: "A", description: "An agent.", skills: [] },
    handle: async () => "done",
  });
  const server = await serve(agent, { port: 0, push, logger: quiet });
  const response = await fetch(server.url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: userMessage("x"), configuration: { taskPushNotificationConfig: webhook } },
    }),
  });
  const reply = (await response.json()) as RpcReply;
  return { reply, [Symbol.asyncDispose]: () => server.close() };
}

/** Refused when it is registered, at this member. */
const refused = async (webhook: object, field: string): Promise<void> => {
  await using sent = await send(webhook);
  const { code, data } = sent.reply.error ?? expect.fail("it was taken");
  expect(code).toBe(-32602);
  const fields = data?.flatMap(({ fieldViolations = [] }) => fieldViolations.map((one) => one.field));
  expect(fields).toEqual([`configuration.taskPushNotificationConfig.${field}`]);
};

const refusedUrl: Run = (fieldCase) => refused(inputOf<{ url: string }>(fieldCase), "url");

/** Cases of webhooks: what is refused, and what is sent. */
export const pushRuns: Record<string, Run> = {
  B136a: refusedUrl,
  B136c: refusedUrl,
  B136e: async (fieldCase: FieldCase) => {
    const { url, redirectsTo } = inputOf<{ url: string; redirectsTo: string }>(fieldCase);
    await using inside = await receiver();
    const target = new URL(redirectsTo);
    target.port = String(inside.port);
    await using hooked = await receiver({ status: 307, headers: { Location: target.href } });
    // The name of the case leads to the receiver.
    const webhook = new URL(url);
    webhook.protocol = "http:";
    webhook.port = String(hooked.port);
    const letters: DeadLetter[] = [];
    await using sent = await send(
      { url: webhook.href },
      {
        allow: [webhook.hostname, target.hostname],
        lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
        onDeadLetter: (letter) => letters.push(letter),
      },
    );
    expect(sent.reply.error).toBeUndefined();
    // The second event comes when the first was given up.
    await hooked.arrived(2);
    expect(letters[0]).toMatchObject({ n: 1, status: 307 });
    expect(inside.requests).toEqual([]);
  },
  B136f: refusedUrl,
  B136g: refusedUrl,
  B136h: (fieldCase) =>
    refused(
      { url: "https://hook.example.com/x", ...inputOf<object>(fieldCase) },
      "authentication.credentials",
    ),
  B138: async (fieldCase) => {
    await using hooked = await receiver();
    await using sent = await send(
      { url: hooked.url, ...inputOf<object>(fieldCase) },
      { allow: ["127.0.0.1"] },
    );
    expect(sent.reply.error).toBeUndefined();
    await hooked.arrived(1);
    expect(hooked.requests[0]?.headers.authorization).toBe(
      expectedOf<{ authorization: string }>(fieldCase).authorization,
    );
  },
};
