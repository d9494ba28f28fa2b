import { Command } from "commander";
import type { Io } from "../io.js";
import { jsonOption, wholeNumber } from "../options.js";

interface ServeOptions {
  readonly json?: true;
  readonly port: number;
  readonly host: string;
  readonly grpcPort?: number;
}

/** `a2a-typed serve`: runs an agent that says what it hears, until Ctrl-C. */
export const serveCommand = (io: Io): Command =>
  new Command("serve")
    .description("run an agent that says what it hears, until Ctrl-C")
    .option("--port <port>", "port to listen on; 0 takes a free one", wholeNumber(0), 8080)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--grpc-port <port>", "serve gRPC too, on this port; 0 takes a free one", wholeNumber(0))
    .addOption(jsonOption())
    .action(async ({ port, host, grpcPort, json }: ServeOptions) => {
      const [{ serve }, { echoAgent }] = await Promise.all([
        import("../../server.js"),
        import("../echo-agent.js"),
      ]);
      const server = await serve(echoAgent(), {
        port,
        host,
        ...(grpcPort !== undefined && { grpc: { port: grpcPort, host } }),
      });
      try {
        const { url, port: own, grpc } = server;
        if (json) io.out(JSON.stringify({ url, port: own, grpc }) + "\n");
        else
          io.out(
            `${server.card.name} listens on ${url}${grpc ? `, and over gRPC on ${grpc.address}` : ""}\n`,
          );
        await aborted(io.signal);
      } finally {
        await server.close();
      }
    });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
