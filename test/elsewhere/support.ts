/** Two instances that share a store and hear of each other by a bus alone: no timer looks for anything. */
import { memoryBus } from "../../src/bus/memory-bus.js";
import type { Agent, ServerOptions } from "../../src/server.js";
import type { StreamResponse, Task } from "../../src/versions/pivot.js";
import { apply } from "../../src/task/apply.js";
import { instance, shared, type Instance, type Shared } from "../recovery/support.js";
import { turn } from "../server/agents.js";

export interface Pair {
  readonly on: Shared;
  readonly a: Instance;
  readonly b: Instance;
}

/** Instances that have heard of the bus. */
export async function pair(agent: Agent, options: ServerOptions = {}): Promise<Pair> {
  const on = shared();
  const bus = memoryBus();
  const [a, b] = [instance(agent, on, { bus, ...options }), instance(agent, on, { bus, ...options })];
  // It is loaded when it is used.
  while (!(a.engine.cluster?.hears === true && b.engine.cluster?.hears === true)) await turn();
  return { on, a, b };
}

/** What is left of a stream. */
export async function rest(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** A value that is there. */
export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("there is nothing");
  return value;
}

/** Texts of the artifacts in events, in order. */
export const texts = (events: readonly StreamResponse[]): string[] =>
  events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts.map(({ text }) => text ?? "") ?? []);

/** The task that a stream leads to. */
export function folded([first, ...events]: readonly StreamResponse[]): Task {
  if (first?.task === undefined) throw new Error("the stream did not begin with the task");
  return events.reduce((task, event) => apply(task, event), first.task);
}
