/** `a2a-typed/hono`: an agent in an app of Hono 4, on whatever runtime. */
export { a2a, type HonoOptions } from "./adapter/hono.js";
export type { Mountable } from "./adapter/mount.js";
