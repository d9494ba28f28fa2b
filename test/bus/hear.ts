import type { EventBus, News } from "../../src/bus/types.js";

/** What one listener was told so far. */
export interface Heard {
  readonly news: News[];
  /** Number of news at the time of each gap. */
  readonly gaps: number[];
  readonly troubles: string[];
  /** Resolves when it is true, looked at after everything that is told. */
  until(holds: () => boolean): Promise<void>;
  stop(): void;
}

/** Listens to a bus and keeps what it says. */
export function hear(bus: EventBus): Heard {
  const waiting = new Set<() => void>();
  const told = (): void => waiting.forEach((look) => look());
  const news: News[] = [];
  const gaps: number[] = [];
  const troubles: string[] = [];
  const stop = bus.listen({
    news(one) {
      news.push(one);
      told();
    },
    gap() {
      gaps.push(news.length);
      told();
    },
    trouble(message) {
      troubles.push(message);
      told();
    },
  });
  return {
    news,
    gaps,
    troubles,
    stop,
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Resolves when the bus is (or is not) connected. */
export async function whenConnected(bus: EventBus, connected = true): Promise<void> {
  const heard = hear(bus);
  await heard.until(() => bus.connected === connected);
  heard.stop();
}
