import { createServer, serve, type Agent, type TaskStore } from "a2a-typed/server";

/** Listens at a free port, by `serve` or, where `host` is `fetch`, by the web adapter behind `@hono/node-server`. */
export async function listen(
  agent: Agent,
  store: TaskStore | string,
  host: string | undefined,
): Promise<number> {
  if (host !== "fetch") return (await serve(agent, { port: 0, store })).port;
  const { serve: serveFetch } = await import("@hono/node-server");
  const { fetch } = createServer(agent, { store, url: "http://127.0.0.1/" });
  return new Promise((resolve) => {
    serveFetch({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  });
}
