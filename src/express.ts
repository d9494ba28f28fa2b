/** `a2a-typed/express`: an agent in an app of Express 4 or 5. */
export { a2a, type ExpressHandlers, type ExpressOptions, type ExpressRequest } from "./adapter/express.js";
export type { Mountable } from "./adapter/mount.js";
