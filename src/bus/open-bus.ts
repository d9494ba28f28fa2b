import { A2AError } from "../errors.js";
import { memoryBus } from "./memory-bus.js";
import { postgresBus } from "./postgres-bus.js";
import { redisBus } from "./redis-bus.js";
import type { EventBus } from "./types.js";

/**
 * The bus that an option names: `redis://…`, `rediss://…`, `postgres://…`, `memory` (this process alone) or an object.
 * The packages of the first three are loaded when one is opened. Throws `CONFIG` for what no bus here understands.
 */
export function openBus(bus: EventBus | string): EventBus {
  if (typeof bus !== "string") return bus;
  // A URL may hold a password: only its scheme is repeated.
  const [kind = ""] = bus.split(":", 1);
  switch (kind) {
    case "memory":
      return memoryBus();
    case "redis":
    case "rediss":
      return redisBus({ url: bus });
    case "postgres":
    case "postgresql":
      return postgresBus({ url: bus });
    default:
      throw new A2AError(
        "CONFIG",
        `bus: there is no "${kind}" bus in this version of a2a-typed; use a URL that begins with redis:, rediss: or postgres:, or pass an EventBus object`,
      );
  }
}
