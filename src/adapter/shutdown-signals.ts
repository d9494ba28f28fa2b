const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Calls `close` at the first SIGTERM or SIGINT of this process; a second one does what it does without us: it kills.
 * Returns what stops listening.
 */
export function onShutdownSignals(close: () => unknown): () => void {
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, act);
  };
  const act = (): void => {
    stop();
    close();
  };
  for (const signal of SIGNALS) process.on(signal, act);
  return stop;
}
