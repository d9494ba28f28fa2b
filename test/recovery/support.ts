/** Instances of an agent that share one store, and a clock that the test moves. No instance looks by itself. */
import { vi } from "vitest";
import { createClient, inMemory } from "../../src/index.js";
import {
  createServer,
  memoryStore,
  type Agent,
  type AgentServer,
  type ServerOptions,
} from "../../src/server.js";
import { anonymous } from "../../src/server/scope.js";
import type { StoredTask, TaskStore } from "../../src/store/types.js";
import { TaskEngine } from "../../src/task/engine.js";
import { pivot, userMessage, type Task } from "../../src/versions/pivot.js";
import { quiet, turn, type TestClient } from "../server/agents.js";

export const LEASE = 3_000;

/** A store that outlives the instances, and what the test may do to it. */
export interface Shared {
  readonly store: TaskStore;
  /** Milliseconds since the epoch. */
  now: number;
  /** Thrown by renewals while set. */
  down: Error | undefined;
  /** Leases in each renewal. */
  readonly renewals: number[];
  read(id: string): Promise<StoredTask>;
}

export function shared(more: Partial<TaskStore> = {}): Shared {
  const inner = memoryStore();
  const renewals: number[] = [];
  const one: Shared = {
    now: Date.UTC(2026, 0, 1),
    down: undefined,
    renewals,
    store: {
      ...inner,
      // Commits that take a turn, as in any store on a disk.
      commit: async (batch) => {
        await turn();
        return inner.commit(batch);
      },
      hints: { durable: true, group: true },
      lease: {
        ...inner.lease,
        renew(leases, expires) {
          if (one.down !== undefined) return Promise.reject(one.down);
          renewals.push(leases.length);
          return inner.lease.renew(leases, expires);
        },
      },
      ...more,
    },
    async read(id) {
      const stored = await inner.read(anonymous, id);
      if (stored === undefined) throw new Error(`there is no task ${id}`);
      return stored;
    },
  };
  return one;
}

/** A server on a shared store. */
export interface Instance {
  readonly server: AgentServer;
  readonly client: TestClient;
  readonly engine: TaskEngine;
  /** Renews and recovers once; resolves with how many tasks were taken over, when what follows is stored. */
  look(): Promise<number>;
}

export function instance(agent: Agent, on: Shared, options: ServerOptions = {}): Instance {
  const started = vi.spyOn(TaskEngine.prototype, "start");
  const server = createServer(agent, {
    logger: quiet,
    sweepMs: 0,
    // Of which a lease lasts three quarters.
    leaseMs: (LEASE * 4) / 3,
    store: on.store,
    now: () => on.now,
    ...options,
  });
  const engine = started.mock.contexts.at(-1);
  started.mockRestore();
  if (!(engine instanceof TaskEngine)) throw new Error("no engine was started");
  return {
    server,
    engine,
    client: createClient(pivot, inMemory(server)),
    async look() {
      const taken = await engine.look();
      await engine.settled();
      return taken;
    },
  };
}

/** Opens a task and returns at once. */
export async function open({ client }: Instance, text: string): Promise<Task> {
  const configuration = { returnImmediately: true };
  const { task } = await client.sendMessage({ message: userMessage(text), configuration });
  if (task === undefined) throw new Error("no task was opened");
  return task;
}

/** Lets turns pass until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await holds()); turns += 1) {
    if (turns > 1_000) throw new Error("it never held");
    await turn();
  }
}
