/** `a2a-typed/fastify`: an agent in an app of Fastify 5. */
export { a2a, type FastifyOptions } from "./adapter/fastify.js";
export type { Mountable } from "./adapter/mount.js";
