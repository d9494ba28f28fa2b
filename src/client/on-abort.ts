interface Watch {
  readonly callbacks: Set<() => void>;
  readonly fire: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `callback` once when the signal aborts; returns what stops that. All who watch one signal share one listener,
 * for Node takes more than ten of them for a leak and warns, and any number of calls may end with the same signal.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const watch = watches.get(signal) ?? startWatch(signal);
  watch.callbacks.add(callback);
  return () => {
    watch.callbacks.delete(callback);
    if (watch.callbacks.size > 0 || watches.get(signal) !== watch) return;
    watches.delete(signal);
    signal.removeEventListener("abort", watch.fire);
  };
}

function startWatch(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const fire = (): void => {
    watches.delete(signal);
    for (const callback of [...callbacks]) callback();
  };
  signal.addEventListener("abort", fire, { once: true });
  const watch = { callbacks, fire };
  watches.set(signal, watch);
  return watch;
}
