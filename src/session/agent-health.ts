import { randomUUID } from "node:crypto";
import { isA2AError } from "../errors.js";
import type { AgentEntry } from "./agent-entry.js";

/** Whether an agent can be called. */
export interface AgentHealth {
  readonly ok: boolean;
  /** Until it had answered, or until it was clear that it does not. */
  readonly latencyMs: number;
  /** `Major.Minor` that is spoken with it. */
  readonly protocolVersion?: string;
  /** Why it cannot be called. It may name hosts: not for the eyes of a model. */
  readonly problem?: string;
}

/** Answers that only an agent gives: it was asked for a task that does not exist. */
const alive: ReadonlySet<string> = new Set([
  "TASK_NOT_FOUND",
  "INVALID_PARAMS",
  "METHOD_NOT_FOUND",
  "UNSUPPORTED_OPERATION",
]);

/** Asks an agent for its card and for a task that does not exist. */
export async function checkHealth(entry: AgentEntry, timeoutMs: number): Promise<AgentHealth> {
  const start = performance.now();
  const latencyMs = (): number => Math.round(performance.now() - start);
  try {
    await entry.refresh();
    const agent = await entry.open();
    const { protocolVersion } = agent;
    try {
      await agent.getTask({ id: randomUUID() }, { timeoutMs });
    } catch (error) {
      if (!isA2AError(error) || !alive.has(error.reason)) throw error;
    }
    return { ok: true, latencyMs: latencyMs(), protocolVersion };
  } catch (error) {
    return { ok: false, latencyMs: latencyMs(), problem: problemOf(error) };
  }
}

/** What went wrong, in one line. */
export const problemOf = (error: unknown): string =>
  isA2AError(error) ? `${error.reason}: ${error.message}` : String(error);
