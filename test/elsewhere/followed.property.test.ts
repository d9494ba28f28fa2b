/** Whatever happens and wherever they listen: subscribers miss nothing, hear nothing twice, and end with the task that is stored. */
import fc from "fast-check";
import { test } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import type { BusListener, EventBus, News } from "../../src/bus/types.js";
import type { TaskStore } from "../../src/store/types.js";
import { textOf, userMessage } from "../../src/versions/pivot.js";
import { instance, open, shared, until } from "../recovery/support.js";
import { agentOf, turn } from "../server/agents.js";
import { heardAll, listen, type Listener } from "./listener.js";
import { must } from "./support.js";

/** A bus that loses, doubles, delays and cuts what it carries, as it is told by a list of numbers. */
function lossyBus(choices: readonly number[]): EventBus {
  const inner = memoryBus();
  let at = 0;
  const next = (): number => choices[(at += 1) % choices.length] ?? 0;
  const held: (() => void)[] = [];
  return {
    publish(news) {
      inner.publish(news);
    },
    listen({ news: hear, gap }: BusListener) {
      const tell = (news: News): void => {
        const bare = (): void => {
          const { events: _, ...less } = news;
          hear(less);
        };
        switch (next()) {
          case 0:
            return;
          case 1:
            hear(news);
            hear(news);
            return;
          case 2:
            held.push(() => {
              hear(news);
            });
            return;
          case 3:
            bare();
            return;
          case 4:
            hear(news);
            for (const late of held.splice(0)) late();
            return;
          case 5:
            gap();
            return;
          default:
            hear(news);
        }
      };
      return inner.listen({ news: tell, gap });
    },
    get connected() {
      return inner.connected;
    },
    close: () => undefined,
  };
}

/** A turn for each text: so many artifacts, then a pause, or the end. */
const agent = agentOf(async (ctx, m) => {
  const [count = "0", then] = textOf(m).split(" ");
  for (let n = 0; n < Number(count); n += 1) {
    ctx.artifact(`${textOf(m)} ${String(n)} ${"x".repeat(n % 7 === 0 ? 3_000 : 10)}`);
    if (n % 5 === 0) await turn();
  }
  if (then === "stop") return undefined;
  return then === "auth" ? ctx.authRequired("pass?") : ctx.inputRequired("more?");
});

test(
  "events have no gap and no repeat, at every instance, over a bus that loses and doubles",
  { timeout: 120_000 },
  async () => {
    const turns = fc.array(
      fc.record({
        who: fc.nat(2),
        count: fc.nat(40),
        auth: fc.boolean(),
        stream: fc.boolean(),
        listeners: fc.array(
          fc.record({
            who: fc.nat(2),
            from: fc.option(fc.nat(20), { nil: undefined }),
            hop: fc.integer({ min: 1, max: 30 }),
          }),
          { maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const choices = fc.array(fc.nat(9), { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(turns, choices, fc.boolean(), async (steps, luck, lossless) => {
        const on = shared();
        const bus = lossless ? memoryBus() : lossyBus(luck);
        // Reads take their time: news come between question and answer.
        const store: TaskStore = {
          ...on.store,
          read: async (...args) => {
            const stored = await on.store.read(...args);
            for (let turns = luck[0] ?? 0; turns > 0; turns -= 1) await turn();
            return stored;
          },
        };
        const all = [0, 1, 2].map(() => instance(agent, on, { bus, store }));
        while (!all.every(({ engine }) => engine.cluster?.hears === true)) await turn();
        const clients = all.map(({ client }) => client);
        const { id } = await open(must(all[0]), "1");
        const heard: Listener[] = [];
        // Timers would do it where the bus does not.
        let over = false;
        const beats = (async () => {
          while (!over) {
            for (const one of all) await one.look();
            for (let i = 0; i < 5; i += 1) await turn();
          }
        })();
        for (const { who, count, auth, listeners } of steps) {
          for (const { who: where, from, hop } of listeners) {
            const known = (await on.read(id)).revision;
            heard.push(
              listen(clients, where, id, from === undefined ? undefined : Math.min(from, known), hop),
            );
          }
          const message = userMessage(`${String(count)} ${auth ? "auth" : "ask"}`, { taskId: id });
          await must(all[who]).client.sendMessage({ message });
        }
        await must(all[1]).client.sendMessage({ message: userMessage("3 stop", { taskId: id }) });
        await until(async () => (await on.read(id)).head.terminal);
        await Promise.all(heard.map(({ end }) => end));
        over = true;
        await beats;
        const task = await must(all[2]).client.getTask({ id });
        for (const one of heard) heardAll(one, task);
        await until(() => all.every(({ engine }) => engine.cluster?.following === 0));
        await until(() => all.every(({ engine }) => engine.size === 0));
      }),
      { numRuns: Number(process.env["RUNS"] ?? 25), seed: Number(process.env["SEED"] ?? 7) },
    );
  },
);
