/** One server and clients of every version: the same conversation means the same, and nobody sees another generation. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as v02 from "../../../generated/v0.2/index.js";
import * as v03 from "../../../generated/v0.3/index.js";
import * as v10 from "../../../generated/v1.0/index.js";
import type { FetchLike } from "../../../src/client/fetch-like.js";
import type { ServiceDescriptor } from "../../../src/descriptor.js";
import { httpJson, isA2AError, jsonRpc, type Transport } from "../../../src/index.js";
import { serve, type RunningServer } from "../../../src/server.js";
import { textOf } from "../../../src/versions/pivot.js";
import { agentOf, quiet } from "../agents.js";
import { createRecorder, foreignIn } from "./recorder.js";
import { speaker0x, speaker10, type SaidEvent, type SaidTask, type Speaker } from "./speakers.js";

const agent = agentOf(
  async function* (ctx, message) {
    const [verb, ...rest] = textOf(message).split(" ");
    if (ctx.turn > 1) return `It rains in ${textOf(message)}.`;
    if (verb === "ask") return ctx.inputRequired("Which city?");
    if (verb === "count") yield* rest;
    if (verb === "hold") {
      ctx.working("holding");
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    }
    return verb === "count" ? undefined : textOf(message);
  },
  {
    card: {
      name: "Test",
      description: "An agent under test",
      skills: [],
      capabilities: { pushNotifications: true },
    },
  },
);
/** Delivers nothing: what is registered is the matter here. */
const push = { start: () => ({ [Symbol.asyncDispose]: () => Promise.resolve() }) };

let server: RunningServer;
beforeAll(async () => {
  server = await serve(agent, { port: 0, logger: quiet, push });
});
afterAll(() => server.close());

interface Tongue {
  readonly name: string;
  /** Whose names foreign text is held against. */
  readonly form: "1.0" | "0.x" | "0.x/proto";
  service(): ServiceDescriptor | Promise<ServiceDescriptor>;
  speak(fetch: FetchLike): Speaker;
}

const transports: Record<string, (fetch: FetchLike) => Transport> = {
  JSONRPC: (fetch) => jsonRpc({ url: server.url, fetch }),
  "HTTP+JSON": (fetch) => httpJson({ url: server.url, fetch }),
};
const formOf = async (service: ServiceDescriptor): Promise<ServiceDescriptor> =>
  (await service.form?.())?.service ?? service;
const tongues: Tongue[] = Object.entries(transports).flatMap(([binding, transport]) => {
  const rest = binding === "HTTP+JSON";
  const legacy = (service: ServiceDescriptor, version: "0.3" | "0.2"): Tongue => ({
    name: `${version} ${binding}`,
    form: rest ? "0.x/proto" : "0.x",
    service: () => (rest ? formOf(service) : service),
    speak: (fetch) => speaker0x(transport(fetch), version),
  });
  return [
    {
      name: `1.0 ${binding}`,
      form: "1.0",
      service: () => v10.A2A,
      speak: (fetch) => speaker10(transport(fetch)),
    },
    legacy(v03.A2A, "0.3"),
    legacy(v02.A2A, "0.2"),
  ];
});

/** The conversation, as a list of what was answered; ids are replaced by the order in which they were met. */
async function converse(speaker: Speaker, second: Speaker): Promise<unknown[]> {
  const said: unknown[] = [];
  const ids: string[] = [];
  const named = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
        if (!ids.includes(id)) ids.push(id);
        return `id-${String(ids.indexOf(id))}`;
      }),
    ) as T;
  const say = (value: unknown): void => void said.push(named(value));
  const refused = async (call: Promise<unknown>): Promise<void> => {
    const error: unknown = await call.then(
      (value) => value,
      (reason: unknown) => reason,
    );
    say(isA2AError(error) ? { refused: error.reason } : { notRefused: error });
  };
  const taskOf = ({ task }: SaidEvent): SaidTask => {
    if (task === undefined) throw new Error("no task");
    return task;
  };

  say(await speaker.send("hello"));
  say(await collect(speaker.stream("count one two three")));

  const asked = taskOf(await speaker.send("ask", { historyLength: 0 }));
  say(asked);
  for (const length of [0, 1, undefined]) say(await speaker.get(asked.id, length));
  say(await speaker.send("Bern", { taskId: asked.id }));
  for (const length of [0, 1, undefined]) say(await speaker.get(asked.id, length));

  const events = await collect(speaker.stream("ask"));
  say(events);
  say(await collect(speaker.stream("Thun", { taskId: taskOf(events[0] ?? {}).id })));

  const held = taskOf(await speaker.send("hold", { immediately: true }));
  say(held);
  {
    await using heard = second.subscribe(held.id);
    const first = await heard[Symbol.asyncIterator]().next();
    say(Object.keys(first.value ?? {}));
    say(await speaker.cancel(held.id));
    say((await collect(heard)).at(-1));
  }
  await refused(speaker.cancel(held.id));
  await refused(collect(speaker.subscribe(held.id)));
  await refused(speaker.get("no-such-task"));
  await refused(speaker.send("x", { taskId: held.id }));
  await refused(speaker.sendNothing());

  const hook = { id: "w1", url: "https://client.example/hook", token: "secret", scheme: "Bearer" };
  say(await speaker.putWebhook(held.id, hook));
  say(await speaker.putWebhook(held.id, { id: "w2", url: "https://client.example/other" }));
  say(await speaker.getWebhook(held.id, "w2"));
  say(await speaker.getWebhook(held.id));
  say(await speaker.listWebhooks(held.id));
  await speaker.deleteWebhook(held.id, "w1");
  say(await speaker.listWebhooks(held.id));
  await refused(speaker.getWebhook(held.id, "w1"));
  await refused(speaker.getWebhook("no-such-task", "w1"));
  await refused(speaker.putWebhook(held.id, { id: "w3", url: "not a url" }));
  const inline = taskOf(await speaker.send("hello", { webhook: { ...hook, id: "w4" } }));
  say(await speaker.listWebhooks(inline.id));
  await refused(speaker.send("x", { webhook: { url: "ftp://client.example" } }));
  return said;
}

async function collect(events: AsyncIterable<SaidEvent>): Promise<SaidEvent[]> {
  const all: SaidEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function record(tongue: Tongue): Promise<{ said: unknown[]; foreign: string[] }> {
  const recorder = createRecorder();
  await using speaker = tongue.speak(recorder.fetch);
  await using second = tongue.speak(recorder.fetch);
  const said = await converse(speaker, second);
  const service = await tongue.service();
  const foreign = await Promise.all(
    recorder.exchanges.map((exchange) => foreignIn(exchange, service, tongue.form)),
  );
  expect(recorder.exchanges.length).toBeGreaterThan(20);
  return { said, foreign: foreign.flat() };
}

describe("the same conversation", () => {
  let reference: unknown[];
  beforeAll(async () => {
    const [first] = tongues;
    if (first) reference = (await record(first)).said;
  });

  test("has rounds, streams and refusals", () => {
    const states = JSON.stringify(reference).match(/(?<="state":")[a-z-]+/g);
    expect(states).toEqual([
      ...["completed", "submitted", "completed"],
      ...["input-required", "input-required", "input-required", "input-required"],
      ...["completed", "completed", "completed", "completed"],
      ...["submitted", "input-required", "working", "completed"],
      ...["submitted", "canceled", "canceled"],
    ]);
    expect(JSON.stringify(reference).match(/(?<="refused":")\w+/g)).toEqual([
      ...["TASK_NOT_CANCELABLE", "UNSUPPORTED_OPERATION", "TASK_NOT_FOUND", "UNSUPPORTED_OPERATION"],
      ...["INVALID_PARAMS", "TASK_NOT_FOUND", "TASK_NOT_FOUND", "INVALID_PARAMS", "INVALID_PARAMS"],
    ]);
  });

  test.each(tongues)("in $name", async (tongue) => {
    const { said, foreign } = await record(tongue);
    expect(said).toEqual(reference);
    expect(foreign).toEqual([]);
  });
});
