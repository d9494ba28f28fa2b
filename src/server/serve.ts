import type { Agent } from "./agent-types.js";
import { closeOnce, withClose } from "./close-once.js";
import { buildServer, trimmed, type AgentServer } from "./create-server.js";
import type { Listening } from "../adapter/node-listen.js";
import { checkOptions, type ServerOptions } from "./server-options.js";

/** Options of `serve`. */
export interface ServeOptions extends ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Closes the server at SIGTERM and SIGINT, with the default deadline; the process ends when nothing else runs. Default false. */
  readonly signals?: boolean;
}

/** An agent that listens. */
export interface RunningServer extends AgentServer {
  /** Base URL, without a trailing slash: the `url` option, else the listening address with `basePath`. */
  readonly url: string;
  readonly port: number;
}

/** Serves an agent over `node:http`. Rejects with `CONFIG` where the address cannot be had, and as `createServer`. */
export async function serve(agent: Agent, options: ServeOptions): Promise<RunningServer> {
  checkOptions(options, ["port", "host", "signals"]);
  let url = options.url ?? "";
  const { server, ready, stop, release } = buildServer(agent, options, () => url);
  const start = async (): Promise<Listening> => {
    await ready();
    // Loaded when used: a server behind another framework needs no node:http.
    const { listen } = await import("../adapter/node-listen.js");
    return listen(server.handle, {
      port: options.port,
      ...(options.host !== undefined && { host: options.host }),
    });
  };
  const listening = await start().catch(async (error: unknown) => {
    await stop(0);
    await release();
    throw error;
  });
  url = options.url ?? listening.url + trimmed(options.basePath ?? "/");
  let ignoreSignals = (): void => undefined;
  const close = closeOnce(async (deadlineMs) => {
    ignoreSignals();
    listening.stop();
    await stop(deadlineMs);
    await listening.close();
    await release();
  });
  if (options.signals === true) {
    const { onShutdownSignals } = await import("../adapter/shutdown-signals.js");
    ignoreSignals = onShutdownSignals(() =>
      close().catch((error: unknown) => (options.logger ?? console).error("a2a: closing failed", error)),
    );
  }
  return withClose({ ...server, card: server.card, url, port: listening.port }, close);
}
