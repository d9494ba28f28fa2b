import { setTimeout as delay } from "node:timers/promises";
import type { Task } from "../../src/versions/pivot.js";
import type { Random } from "../hostile/random.js";
import { getTask, messageOf, openStream, send, type Seen } from "./calls.js";
import type { Cluster } from "./cluster.js";
import { follow, isOver, type Follower } from "./follower.js";
import type { Instance } from "./instance.js";
import type { Plan } from "./processes/settings.js";

/** A task of a run, and all that was acknowledged of it. */
export interface Work {
  readonly plan: Plan;
  /** Known as soon as something was acknowledged. */
  id: string | undefined;
  readonly followers: Follower[];
  /** Further messages: true where the answer came. */
  readonly messages: Map<string, boolean>;
  /** The task as a call answered with it in the end. */
  answer: Task | undefined;
  /** What cannot be right, in words. */
  readonly problems: string[];
}

/** What is under way. */
export interface Load {
  readonly works: readonly Work[];
  /** Events that were seen so far, by all together. */
  readonly seen: number;
  /** Resolves when so many events were seen, or everything has ended. */
  reached(events: number): Promise<void>;
  /** Resolves when everything has ended, or should have. */
  readonly done: Promise<void>;
}

/** How much there is to do. */
export interface LoadOptions {
  readonly cluster: Cluster;
  readonly random: Random;
  /** Where the tasks begin. */
  readonly owner: Instance;
  readonly tasks: number;
  readonly plan: Plan;
  /** Milliseconds within which every task must end. */
  readonly within: number;
  /** Whether subscribers may join at any instance, or at the owner only while it lives. */
  readonly anywhere: boolean;
}

let count = 0;
const mint = (kind: string): string => `${kind}-${String((count += 1))}`;

/** Starts tasks: one by a call that waits for the end, the others by streams, with a subscriber and messages beside. */
export function startLoad({ cluster, random, owner, tasks, plan, within, anywhere }: LoadOptions): Load {
  let seen = 0;
  let over = false;
  const waiting = new Set<{ readonly events: number; readonly resolve: () => void }>();
  const told = (): void => {
    seen += 1;
    for (const one of waiting) if (seen >= one.events) one.resolve();
  };
  const next = (): Instance => (!anywhere && owner.isUp && random.below(4) > 0 ? owner : cluster.any());

  const works: Work[] = [];
  const begin = (): Work => {
    const work: Work = {
      plan,
      id: undefined,
      followers: [],
      messages: new Map(),
      answer: undefined,
      problems: [],
    };
    works.push(work);
    return work;
  };

  async function blocking(): Promise<void> {
    const work = begin();
    const body = messageOf(mint("call"), JSON.stringify(plan));
    const answer = await call(work, owner, body);
    if (answer === undefined || !("task" in answer)) return;
    work.id = answer.task.id;
    if (isOver(answer.task)) work.answer = answer.task;
  }

  async function streaming(): Promise<void> {
    const work = begin();
    let known: (id: string) => void = () => undefined;
    const opened = new Promise<string>((resolve) => (known = resolve));
    const first = follow({
      next,
      within,
      open: (signal) => openStream(owner.url, messageOf(mint("stream"), JSON.stringify(plan)), signal),
      told: (one: Seen) => {
        if (one.event.task !== undefined) known((work.id = one.event.task.id));
        told();
      },
    });
    work.followers.push(first);
    const beside = opened.then(async (id) => {
      const second = follow({ next, id, within, told });
      work.followers.push(second);
      for (let n = random.below(3); n > 0 && !over; n -= 1) {
        await delay(random.below(plan.steps * plan.pauseMs));
        await say(work, id);
      }
      await second.done;
    });
    await first.done;
    if (work.id !== undefined) await beside;
  }

  /** A message beside the run; where no answer came, it may or may not be there. */
  async function say(work: Work, taskId: string): Promise<void> {
    const messageId = mint("beside");
    work.messages.set(messageId, false);
    const at = anywhere ? cluster.any() : owner;
    const body = { ...messageOf(messageId, "go on", taskId), configuration: { returnImmediately: true } };
    const answer = await call(work, at, body);
    if (answer !== undefined && "task" in answer) work.messages.set(messageId, true);
  }

  /** Undefined where the connection broke; an answer must come while the instance is there. */
  async function call(
    work: Work,
    { url }: Instance,
    body: object,
  ): Promise<Awaited<ReturnType<typeof send>> | undefined> {
    const signal = AbortSignal.timeout(within);
    try {
      return await send(url, body, signal);
    } catch {
      if (signal.aborted)
        work.problems.push(`no answer within ${String(within)} ms: ${JSON.stringify(body)}`);
      return undefined;
    }
  }

  const all = [blocking(), ...Array.from({ length: tasks - 1 }, streaming)];
  const done = Promise.all(all).then(async () => {
    over = true;
    for (const { resolve } of waiting) resolve();
    // A call whose answer was a task under way has no follower.
    for (const { id } of works) if (id !== undefined) await ended(cluster, id, within);
  });
  return {
    works,
    get seen() {
      return seen;
    },
    reached: (events) =>
      new Promise((resolve) => {
        if (over || seen >= events) resolve();
        else waiting.add({ events, resolve });
      }),
    done,
  };
}

/** Resolves when a task has ended, or should have. */
export async function ended(cluster: Cluster, id: string, within: number): Promise<void> {
  const deadline = Date.now() + within;
  while (Date.now() < deadline) {
    if (isOver(await getTask(cluster.any().url, id).catch(() => undefined))) return;
    await delay(20);
  }
}
