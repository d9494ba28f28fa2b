import type { Io } from "./io.js";

/** The part of a process that hears of signals. */
export interface Signalled {
  once(name: "SIGTERM", listener: () => void): unknown;
  on(name: "SIGINT", listener: () => void): unknown;
  off(name: "SIGINT", listener: () => void): unknown;
}

/** Ctrl-C of a process: whoever listens decides about it, else it ends the command; one more then ends the process. */
export function interrupts(process: Signalled): Pick<Io, "signal" | "onInterrupt"> {
  const controller = new AbortController();
  const listeners: (() => boolean)[] = [];
  const interrupt = (): void => {
    if (listeners.at(-1)?.() === true) return;
    process.off("SIGINT", interrupt);
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.once("SIGTERM", () => controller.abort());
  return {
    signal: controller.signal,
    onInterrupt(listener) {
      listeners.push(listener);
      return () => {
        const at = listeners.lastIndexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
  };
}
