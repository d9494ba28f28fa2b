import { Listeners } from "./listeners.js";
import { perTick } from "./per-tick.js";
import type { EventBus, News } from "./types.js";

/** A bus for several servers of one process: hand the same one to each. Whoever publishes hears it, too. */
export function memoryBus(): EventBus {
  const listeners = new Listeners();
  let open = true;
  const deliver = perTick<News>((all) => {
    for (const news of all) listeners.news(news);
  });
  return {
    publish(news) {
      if (open) deliver(news);
    },
    listen: (listener) => listeners.add(listener),
    get connected() {
      return open;
    },
    ready: () => undefined,
    close() {
      open = false;
    },
  };
}
