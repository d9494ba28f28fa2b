import type { Agent } from "./agent-types.js";
import { buildServer, trimmed, type AgentServer } from "./create-server.js";
import { checkOptions, type ServerOptions } from "./server-options.js";

/** Options of `serve`. */
export interface ServeOptions extends ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
}

/** An agent that listens. */
export interface RunningServer extends AgentServer {
  /** Base URL, without a trailing slash: the `url` option, else the listening address with `basePath`. */
  readonly url: string;
  readonly port: number;
}

/** Serves an agent over `node:http`. Rejects where the address cannot be had, or with `CONFIG` as `createServer`. */
export async function serve(agent: Agent, options: ServeOptions): Promise<RunningServer> {
  checkOptions(options, ["port", "host"]);
  let url = options.url ?? "";
  const server = buildServer(agent, options, () => url);
  // Loaded when used: a server behind another framework needs no node:http.
  const { listen } = await import("../adapter/node-listen.js");
  const listening = await listen(server.handle, {
    port: options.port,
    ...(options.host !== undefined && { host: options.host }),
  }).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  url = options.url ?? listening.url + trimmed(options.basePath ?? "/");
  const close = async (): Promise<void> => {
    await server.close();
    await listening.close();
  };
  return {
    router: server.router,
    handle: server.handle,
    card: server.card,
    url,
    port: listening.port,
    fetch: (request) => server.fetch(request),
    task: (id, scoped) => server.task(id, scoped),
    close,
    [Symbol.asyncDispose]: close,
  };
}
