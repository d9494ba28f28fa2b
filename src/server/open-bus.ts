import type { EventBus } from "../bus/types.js";
import { A2AError } from "../errors.js";
import { later } from "../task/clock.js";
import type { Logger } from "./agent-types.js";
import type { OpenedTelemetry } from "../telemetry/open-telemetry.js";

/** Milliseconds that the first connection may take before a server starts without it. */
const PATIENCE_MS = 2_000;

/** A bus that is being opened. */
export interface OpenedBus {
  /** Resolves when it is connected, or could not be at once; rejects with `CONFIG` where it never will. */
  ready(): Promise<void>;
  /** Ends what was opened here: a bus that was handed in belongs to whoever made it. */
  close(): Promise<void>;
}

/** What a bus is opened for. */
export interface BusUse {
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly telemetry: OpenedTelemetry | undefined;
  readonly pollMs: number;
  /** Called with it as soon as it is there. */
  readonly connect: (bus: EventBus) => void;
}

/** Opens the bus that an option names; its packages are loaded now. */
export function openBus(
  option: EventBus | string,
  { logger, telemetry, pollMs, connect }: BusUse,
): OpenedBus {
  let reporting: EventBus | undefined;
  const opening = (async (): Promise<EventBus> => {
    const [{ openBus: open }, { reportingBus }] = await Promise.all([
      import("../bus/open-bus.js"),
      import("../bus/reporting-bus.js"),
    ]);
    const bus = typeof option === "string" ? open(option) : lent(option);
    reporting = reportingBus(bus, logger, { pollMs, telemetry });
    connect(reporting);
    return reporting;
  })();
  // Told by `ready`.
  opening.catch(() => undefined);
  return {
    async ready() {
      const bus = await opening;
      let stop = (): void => undefined;
      const enough = new Promise<void>((resolve) => {
        stop = later(PATIENCE_MS, resolve);
      });
      try {
        await Promise.race([bus.ready?.(), enough]);
      } finally {
        stop();
      }
    },
    async close() {
      await opening.catch(() => undefined);
      await reporting?.close();
    },
  };
}

/** A bus that somebody else closes. */
const lent = (bus: EventBus): EventBus => ({
  publish: (news) => {
    bus.publish(news);
  },
  listen: (listener) => bus.listen(listener),
  get connected() {
    return bus.connected;
  },
  ready: () => bus.ready?.(),
  close: () => undefined,
});

/** Throws `CONFIG` where there is nobody whom a bus could tell anything. */
export function checkBus(hints: { readonly durable?: true; readonly alone?: true } | undefined): void {
  if (hints?.durable === true && hints.alone !== true) return;
  throw new A2AError(
    "CONFIG",
    "bus: it is for instances that share a task store, and only this process can use this one; give the server a store of sqlite: or postgres:, or leave the bus out",
  );
}
