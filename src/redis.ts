/** `a2a-typed/redis`: instances tell each other of their commits over Redis or Valkey. */
export { redisBus, type RedisBusOptions } from "./bus/redis-bus.js";
export type { BusListener, EventBus, News } from "./bus/types.js";
