import type { OpenedTelemetry } from "../telemetry/open-telemetry.js";
import type { TaskEngine } from "../task/engine.js";

/** Lets telemetry know of events and live tasks, as soon as it is there; nothing is counted for nobody. */
export function watchEngine(
  { source, ready }: OpenedTelemetry,
  engine: TaskEngine,
): { stop(): Promise<void> } {
  const watching = ready.then(() => {
    const { current } = source;
    if (current === undefined) return undefined;
    engine.countEvents((events) => current.events(events));
    return current.liveTasks(() => engine.size);
  });
  return {
    async stop() {
      (await watching)?.();
    },
  };
}
