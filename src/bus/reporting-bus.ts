import type { Logger } from "../logger.js";
import type { OpenedTelemetry } from "../telemetry/open-telemetry.js";
import type { EventBus } from "./types.js";

/** What reports say, and whom else they are made to. */
export interface ReportOptions {
  /** How often instances look into the store while the bus is down, ms. */
  readonly pollMs: number;
  readonly telemetry?: OpenedTelemetry | undefined;
}

/**
 * The same bus, which tells the log once of every loss and every recovery, and of damaged messages; the metric
 * `a2a.server.bus_connected` follows it. Closing it ends that.
 */
export function reportingBus(
  bus: EventBus,
  logger: Pick<Logger, "info" | "warn">,
  { pollMs, telemetry }: ReportOptions,
): EventBus {
  let down = false;
  const report = (why?: string): void => {
    if (bus.connected) {
      if (why !== undefined) logger.warn(`bus: ${why}`);
      else if (down) logger.info("bus: it is back; news of other instances come at once again");
      if (why === undefined) down = false;
    } else if (!down) {
      down = true;
      logger.warn(
        `bus: it is down: instances look into the store every ${String(pollMs)} ms${why === undefined ? "" : ` (${why})`}`,
      );
    }
  };
  const unlisten = bus.listen({ news: () => undefined, gap: () => report(), trouble: report });
  const measuring = telemetry?.ready.then(() => telemetry.source.current?.busConnected(() => bus.connected));
  return {
    publish: (news) => bus.publish(news),
    listen: (listener) => bus.listen(listener),
    get connected() {
      return bus.connected;
    },
    ready: () => bus.ready?.(),
    async close() {
      unlisten();
      (await measuring)?.();
      await bus.close();
    },
  };
}
