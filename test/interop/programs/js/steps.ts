import type { Seen, Step } from "../../matrix/contract.js";
import type { Connect, PeerClient, Told } from "./peer-client.js";

/** What a step is given: a connected client, a way to make more, and a webhook. */
interface Scene {
  readonly client: PeerClient;
  readonly connect: Connect;
  readonly webhook: string;
}

const absent = "absent";

/** The steps, each a function of what a client sees. What comes out must be the same for every client and server. */
export const run: Record<Step, (scene: Scene) => Promise<Seen>> = {
  async card({ client }) {
    return { ...(await client.card()) };
  },

  async send({ client }) {
    const { kind, state, text } = await client.send({ text: "complete" });
    return { kind, state, text };
  },

  async message({ client }) {
    const { kind, text } = await client.send({ text: "message" });
    return { kind, text };
  },

  async stream({ client }) {
    const told = await all(client.stream({ text: "stream 5" }));
    return { first: told[0]?.kind ?? absent, states: statesOf(told), text: chunksOf(told) };
  },

  async history({ client }) {
    const asked = await client.send({ text: "ask" });
    await client.send({ text: "Paris", taskId: asked.id, contextId: asked.contextId });
    const whole = await client.history(asked.id);
    const users = whole.filter(({ role }) => role === "user").map(({ text }) => text);
    const one = (await client.history(asked.id, 1)).length;
    const none = (await client.history(asked.id, 0)).length;
    return { all: users, one, none };
  },

  async list({ client }) {
    if (!client.list) return { list: absent };
    const contextId = crypto.randomUUID();
    const sent: string[] = [];
    for (let n = 0; n < 3; n++) sent.push((await client.send({ text: "complete", contextId })).id);
    const first = await client.list(contextId, 2, "");
    const second = await client.list(contextId, 2, first.next);
    const listed = [...first.ids, ...second.ids];
    return {
      pages: [first.ids.length, second.ids.length],
      total: first.total,
      same: sent.toSorted().join() === listed.toSorted().join(),
      more: second.next !== "",
    };
  },

  async input({ client }) {
    const asked = await client.send({ text: "ask" });
    const done = await client.send({ text: "Paris", taskId: asked.id, contextId: asked.contextId });
    return {
      asked: asked.state,
      question: asked.note,
      same: done.id === asked.id,
      state: done.state,
      text: done.text,
    };
  },

  async cancel({ client }) {
    const { id, state } = await client.send({ text: "tick", immediately: true });
    const canceled = await client.cancel(id);
    const finished = await client.send({ text: "complete" });
    return {
      running: state === "submitted" || state === "working",
      state: canceled.state,
      finished: await failure(client, client.cancel(finished.id)),
    };
  },

  async subscribe({ client, connect }) {
    const { id } = await client.send({ text: "tick", immediately: true });
    const second = await connect();
    const told: Told[] = [];
    for await (const event of second.subscribe(id)) {
      if (told.length === 0) await client.send({ text: `release ${id}` });
      told.push(event);
    }
    return {
      first: told[0]?.kind ?? absent,
      id: told.every((event) => event.id === id),
      last: statesOf(told).at(-1) ?? absent,
    };
  },

  async push({ client, webhook }) {
    const asked = await client.send({ text: "ask" });
    const hook = { id: "hook-1", url: webhook, token: "secret" };
    const made = await client.setHook(asked.id, hook);
    const got = await attempt(client, async () => (await client.getHook(asked.id, hook.id)).url === webhook);
    const list = async () => (await client.listHooks(asked.id)).map(({ id }) => id);
    const listed = await attempt(client, list);
    const left = await attempt(client, async () => {
      await client.deleteHook(asked.id, hook.id);
      return list();
    });
    if (Array.isArray(left)) await client.setHook(asked.id, hook);
    await client.send({ text: "Paris", taskId: asked.id, contextId: asked.contextId });
    const delivered = (await (await fetch(webhook)).json()) as Seen;
    return { made: made.url === webhook, got, listed, left, ...delivered };
  },

  async unknown({ client }) {
    const id = "no-such-task";
    return {
      get: await failure(client, client.history(id)),
      cancel: await failure(client, client.cancel(id)),
      subscribe: await failure(client, all(client.subscribe(id))),
      send: await failure(client, client.send({ text: "complete", taskId: id })),
    };
  },

  async version({ connect }) {
    const client = await connect("9.9");
    return { error: await failure(client, client.send({ text: "complete" })) };
  },
};

async function all(events: AsyncIterable<Told>): Promise<Told[]> {
  const told: Told[] = [];
  for await (const event of events) told.push(event);
  return told;
}

/** The states in the order in which they were first said, repeats left out. */
const statesOf = (told: readonly Told[]): string[] =>
  told
    .map(({ state }) => state)
    .filter((state) => state !== "")
    .filter((state, at, states) => state !== states[at - 1]);

/** What the chunks said, joined. */
const chunksOf = (told: readonly Told[]): string =>
  told
    .filter(({ kind }) => kind === "artifact")
    .map(({ text }) => text)
    .join("");

/** What a call gives, or what its failure means: one of several calls of a step may be missing. */
const attempt = async (client: PeerClient, call: () => Promise<unknown>): Promise<unknown> =>
  call().catch((error: unknown) => client.reasonOf(error));

const failure = async (client: PeerClient, call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no error",
    (error: unknown) => client.reasonOf(error),
  );
