import type { Agent } from "./agent-types.js";
import { closeOnce, withClose } from "./close-once.js";
import { buildServer, trimmed, type AgentServer } from "./create-server.js";
import type { Listening } from "../adapter/node-listen.js";
import type { GrpcListening } from "../grpc/grpc-listen.js";
import type { GrpcServeOptions } from "./grpc-option.js";
import { checkOptions, type ServerOptions } from "./server-options.js";

/** Options of `serve`. */
export interface ServeOptions extends ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Closes the server at SIGTERM and SIGINT, with the default deadline; the process ends when nothing else runs. Default false. */
  readonly signals?: boolean;
  /** Serves gRPC too, on a port of its own; needs `@grpc/grpc-js`. Default: no. */
  readonly grpc?: GrpcServeOptions;
}

/** An agent that listens. */
export interface RunningServer extends AgentServer {
  /** Base URL, without a trailing slash: the `url` option, else the listening address with `basePath`. */
  readonly url: string;
  readonly port: number;
  /** Where gRPC is served. */
  readonly grpc?: Pick<GrpcListening, "address" | "port">;
}

/**
 * Serves an agent over `node:http`, and over gRPC where that is asked for. Rejects with `CONFIG` where an address cannot be
 * had, and as `createServer`.
 */
export async function serve(agent: Agent, options: ServeOptions): Promise<RunningServer> {
  checkOptions(options, ["port", "host", "signals", "grpc"]);
  let url = options.url ?? "";
  let grpc: GrpcListening | undefined;
  const { server, ready, stop, release } = buildServer(agent, options, {
    url: () => url,
    ...((options.grpc ?? options.grpcUrl) !== undefined && {
      grpcUrl: () => options.grpc?.url ?? options.grpcUrl ?? grpc?.address ?? "",
    }),
  });
  const start = async (): Promise<Listening> => {
    await ready();
    if (options.grpc) {
      const { bindGrpc } = await import("../grpc/grpc-listen.js");
      grpc = await bindGrpc(server, options.grpc);
    }
    // Loaded when used: a server behind another framework needs no node:http.
    const { listen } = await import("../adapter/node-listen.js");
    return listen(server.handle, {
      port: options.port,
      ...(options.host !== undefined && { host: options.host }),
    });
  };
  const listening = await start().catch(async (error: unknown) => {
    await stop(0);
    await grpc?.close(0);
    await release();
    throw error;
  });
  url = options.url ?? listening.url + trimmed(options.basePath ?? "/");
  // Not before: the card that calls are checked by names all addresses.
  grpc?.serve();
  let ignoreSignals = (): void => undefined;
  const close = closeOnce(async (deadlineMs) => {
    ignoreSignals();
    listening.stop();
    await stop(deadlineMs);
    await Promise.all([listening.close(), grpc?.close()]);
    await release();
  });
  if (options.signals === true) {
    const { onShutdownSignals } = await import("../adapter/shutdown-signals.js");
    ignoreSignals = onShutdownSignals(() =>
      close().catch((error: unknown) => (options.logger ?? console).error("a2a: closing failed", error)),
    );
  }
  const { address, port } = grpc ?? {};
  return withClose(
    {
      ...server,
      card: server.card,
      url,
      port: listening.port,
      ...(address !== undefined && port !== undefined && { grpc: { address, port } }),
    },
    close,
  );
}
