/** One thing that is done to engines and to the reference, and what must hold after it. */
import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { isA2AError } from "../../../src/errors.js";
import type { TaskStore } from "../../../src/server.js";
import { foldStored } from "../../../src/task/load-task.js";
import { isTerminal } from "../../../src/task/states.js";
import type { StreamResponse } from "../../../src/versions/pivot.js";
import { turn } from "../../task/slow-store.js";
import { scope, settled, type Instance, type Listener } from "./instance.js";
import type { Reference } from "./reference.js";

/** The engines under test, and what the steps before did. */
export interface Real {
  /** Two where a store may be open twice. */
  readonly instances: Instance[];
  /** Opens the data again; absent where they end with the store. */
  reopen?: () => Promise<TaskStore>;
  readonly ids: string[];
  readonly listeners: Listener[];
  /** Makes texts and names that differ. */
  count: number;
}

type Run = (model: Reference, real: Real) => Promise<void>;

class Step implements fc.AsyncCommand<Reference, Real> {
  readonly #name: string;
  readonly #run: Run;

  constructor(name: string, run: Run) {
    this.#name = name;
    this.#run = run;
  }

  check = (): boolean => true;
  async run(model: Reference, real: Real): Promise<void> {
    await this.#run(model, real);
    await same(model, real);
  }
  toString = (): string => this.#name;
}

/** A step whose arguments are shown where it fails. */
export const step = <T>(
  name: string,
  args: fc.Arbitrary<T>,
  run: (args: T, model: Reference, real: Real) => Promise<void>,
) =>
  args.map((value) => new Step(`${name} ${fc.stringify(value)}`, (model, real) => run(value, model, real)));

/** What must hold after every step. */
async function same(model: Reference, real: Real): Promise<void> {
  const { instances, ids, listeners } = real;
  for (const one of instances) await settled(one, ids);
  for (const id of ids) {
    const known = model.tasks.get(id);
    for (const { engine } of instances) {
      const text = await engine.text(scope, id);
      deepEqual(text === undefined ? undefined : JSON.parse(text), known?.task);
    }
    if (known === undefined) continue;
    const stored = await instances[0]?.store.read(scope, id);
    equal(stored?.revision, known.events.length);
    deepEqual(stored && foldStored(stored).task, known.task);
  }
  for (const { engine } of instances) engine.cluster?.look();
  for (const listener of listeners) await heard(listener, model);
}

/** A listener got the task as it was, then what happened, in order; all of it, and its stream ends with the task. */
async function heard(listener: Listener, model: Reference): Promise<void> {
  const { from, begin, got, current } = listener;
  const lead = begin === undefined ? [] : [{ task: begin }];
  const known = model.tasks.get(listener.id);
  if (!known) return;
  const expected: StreamResponse[] = [...lead, ...known.events.slice(from)];
  const over = isTerminal(known.task.status.state);
  const deadline = Date.now() + 5_000;
  const waits = (): boolean => got.length < expected.length || (over && !listener.ended);
  while (current && waits() && Date.now() < deadline) await turn();
  // Who was told nothing yet is told that the instance ends; all others just resume.
  if (current || got.length > 0) equal(listener.problem, undefined);
  else if (listener.problem !== undefined) ok(isA2AError(listener.problem, "UNAVAILABLE"));
  deepEqual(got, current ? expected : expected.slice(0, got.length));
  if (current) equal(listener.ended, over);
}
