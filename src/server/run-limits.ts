import { A2AError } from "../errors.js";
import type { Scope } from "../store/types.js";

/** What limits the runs of an agent. */
export interface RunLimitOptions {
  /** Milliseconds that one call of the handler may take. */
  readonly handlerMs?: number | undefined;
  /** Handlers that may run at once for one scope. */
  readonly runningTasks?: number | undefined;
}

/** Counts what runs, for each scope. */
export class RunLimits {
  readonly handlerMs: number | undefined;
  readonly #most: number;
  readonly #running = new Map<string, number>();

  constructor({ handlerMs, runningTasks = Number.POSITIVE_INFINITY }: RunLimitOptions) {
    this.handlerMs = handlerMs;
    this.#most = runningTasks;
  }

  /** Refuses one more run for a scope that has as many as it may have. */
  admit(scope: Scope): void {
    if ((this.#running.get(keyOf(scope)) ?? 0) < this.#most) return;
    throw new A2AError(
      "RESOURCE_EXHAUSTED",
      `${String(this.#most)} tasks are being worked on for this caller; try again when one has ended`,
      { code: -32000, headers: { "retry-after": "1" } },
    );
  }

  began(scope: Scope): void {
    const key = keyOf(scope);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  ended(scope: Scope): void {
    const key = keyOf(scope);
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }
}

const keyOf = ({ tenant, owner }: Scope): string => JSON.stringify([tenant, owner]);

/** The limits where any is set: what is undefined costs nothing. */
export const runLimits = (options: RunLimitOptions): RunLimits | undefined =>
  options.handlerMs === undefined && options.runningTasks === undefined ? undefined : new RunLimits(options);
