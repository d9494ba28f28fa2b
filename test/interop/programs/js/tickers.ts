import { tickMs } from "./script.js";

/** The tasks that tick: each says something again and again until it is released or canceled. */
export interface Tickers {
  /** Calls `say` every tick; resolves with how it ended. */
  run(taskId: string, say: () => void): Promise<"released" | "canceled">;
  /** Ends the ticking of a task; nothing happens where it does not tick. */
  end(taskId: string, how: "released" | "canceled"): void;
}

/** The tickers of one agent. */
export function createTickers(): Tickers {
  const running = new Map<string, (how: "released" | "canceled") => void>();
  return {
    run(taskId, say) {
      const timer = setInterval(say, tickMs);
      return new Promise<"released" | "canceled">((resolve) => running.set(taskId, resolve)).finally(() => {
        clearInterval(timer);
        running.delete(taskId);
      });
    },
    end: (taskId, how) => running.get(taskId)?.(how),
  };
}
