import { A2AError } from "../errors.js";
import type { StoredConfig } from "../store/types.js";
import { later } from "../task/clock.js";
import type { LiveTask } from "../task/live-task.js";
import { Ticket } from "../task/ticket.js";
import type { Message } from "../versions/pivot.js";
import type { AgentRuntime } from "./agent-runtime.js";
import { newId } from "./ids.js";
import { inTask } from "./in-task.js";
import type { RequestInfo } from "./request-info.js";
import { Run } from "./run.js";

/** A message for which no task exists yet. */
export interface FreeMessage {
  readonly message: Message;
  readonly contextId: string;
  readonly info: RequestInfo;
  readonly configs: readonly StoredConfig[];
}

/** What came of it: a task, or a direct reply. */
export type FreeOutcome =
  | { readonly live: LiveTask; readonly ticket: Ticket }
  | { readonly live?: undefined; readonly reply: Message };

/** A run that may do without a task. */
export interface FreeRun {
  /**
   * Begins it. The outcome is there when a task was made, or the handler answered. When the caller goes away before a
   * task exists, nobody wants the reply any more: the handler's signal fires. `made` is told of a task before anything
   * happens to it.
   */
  go(caller: { readonly signal: AbortSignal }, made?: (live: LiveTask) => void): Promise<FreeOutcome>;
}

/**
 * Prepares a run of an agent that does not open a task for every message: with `replies: "auto"` the first effect
 * makes it, or the delay; with `"message"` there is none.
 */
export function startFree(
  runtime: AgentRuntime,
  { message, contextId, info, configs }: FreeMessage,
): FreeRun {
  const { replies, autoDelayMs } = runtime.agent;
  const taskId = newId();
  let settle: (() => void) | undefined;
  let stopDelay: (() => void) | undefined;
  let tell: ((live: LiveTask) => void) | undefined;

  const create = (): LiveTask => {
    if (replies === "message") throw noTask();
    stopDelay?.();
    const live = runtime.create(taskId, contextId, inTask(message, taskId, contextId), info, configs);
    runtime.sessionOf(live).adopt(run);
    tell?.(live);
    settle?.();
    return live;
  };

  const run: Run = new Run(runtime, {
    message: { ...message, contextId },
    request: info,
    taskId,
    contextId,
    turn: 1,
    attempt: 1,
    state: {},
    queue: [],
    live: create,
    owner: {
      // The answer goes out when it is given, whatever the handler still does.
      answered: () => {
        stopDelay?.();
        settle?.();
      },
      over: () => {
        stopDelay?.();
        if (run.current !== undefined) runtime.sessionOf(run.current).over(run);
        settle?.();
      },
    },
  });

  return {
    async go({ signal }, made) {
      tell = made;
      const abandon = (): void => {
        if (run.current === undefined) run.abort(new A2AError("ABORTED", "The caller went away"));
      };
      let closed: A2AError | undefined;
      const close = (reason: A2AError): void => {
        // A task that was made meanwhile ends its run by itself.
        if (run.current !== undefined) return;
        closed = reason;
        run.ended = true;
        run.abort(reason);
        stopDelay?.();
        settle?.();
      };
      runtime.free.add(close);
      signal.addEventListener("abort", abandon);
      await new Promise<void>((resolve) => {
        settle = resolve;
        if (replies === "auto") {
          stopDelay = later(autoDelayMs, () => {
            if (!run.over) run.live();
          });
        }
        run.go();
      });
      signal.removeEventListener("abort", abandon);
      runtime.free.delete(close);
      if (run.current !== undefined) {
        const ticket = new Ticket();
        // The task begins with this message: whatever rest it comes to answers it.
        ticket.floor = 0;
        return { live: run.current, ticket };
      }
      if (run.reply !== undefined) return { reply: run.reply };
      throw run.failure ?? closed ?? new A2AError("INTERNAL_ERROR", "Internal error");
    },
  };
}

// For the agent's log, not for the caller.
const noTask = (): TypeError =>
  new TypeError('An agent with replies: "message" has no task; return what it says, or call ctx.message');
