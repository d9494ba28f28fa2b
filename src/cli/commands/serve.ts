import { Command } from "commander";
import type { Io } from "../io.js";
import { jsonOption, wholeNumber } from "../options.js";

interface ServeOptions {
  readonly json?: true;
  readonly port: number;
  readonly host: string;
}

/** `a2a-typed serve`: runs an agent that says what it hears, until Ctrl-C. */
export const serveCommand = (io: Io): Command =>
  new Command("serve")
    .description("run an agent that says what it hears, until Ctrl-C")
    .option("--port <port>", "port to listen on; 0 takes a free one", wholeNumber(0), 8080)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(jsonOption())
    .action(async ({ port, host, json }: ServeOptions) => {
      const [{ serve }, { echoAgent }] = await Promise.all([
        import("../../server.js"),
        import("../echo-agent.js"),
      ]);
      const server = await serve(echoAgent(), { port, host });
      try {
        if (json) io.out(JSON.stringify({ url: server.url, port: server.port }) + "\n");
        else io.out(`${server.card.name} listens on ${server.url}\n`);
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
