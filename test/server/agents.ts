/** Short agents for tests, and what they wait for: no test sleeps. */
import type { JsonObject } from "../../src/descriptor.js";
import { createClient, inMemory, type Client } from "../../src/index.js";
import {
  createServer,
  defineAgent,
  type Agent,
  type AgentDefinition,
  type AgentServer,
  type Handler,
  type ServerOptions,
} from "../../src/server.js";
import { pivot } from "../../src/versions/pivot.js";

export const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {
  // Expected failures are asserted, not read.
}

export const skill = { id: "s", name: "Skill", description: "Does it.", tags: ["test"] };

/** An agent of one handler. */
export function agentOf<S extends object = JsonObject>(
  handle: Handler<S>,
  more: Partial<AgentDefinition<S>> = {},
): Agent {
  const card = { name: "Test", description: "An agent under test", skills: [skill], ...more.card };
  return defineAgent<S>({ ...more, card, handle });
}

export type TestClient = Client<typeof pivot>;

/** A server of the agent and a client in the same process. */
export function start(
  agent: Agent,
  options: ServerOptions = {},
): { server: AgentServer; client: TestClient } {
  const server = createServer(agent, { logger: quiet, sweepMs: 0, ...options });
  return { server, client: createClient(pivot, inMemory(server)) };
}

export interface Gate<T = void> {
  readonly passed: Promise<T>;
  open(value: T): void;
}

/** A promise that a test settles. */
export function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = ignore;
  const passed = new Promise<T>((resolve) => {
    open = resolve;
  });
  return {
    passed,
    open: (value) => {
      open(value);
    },
  };
}

/** Lets everything that is ready run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
