import type { Effort } from "./effort.js";
import { startServer, type ServerName, type ServerProcess, type ServerSetup } from "./server-process.js";
import { warmUp, type Spoken } from "./warm-up.js";

/** The processes of one round: new ones each time, so that no round inherits what another left in memory. */
export class Round {
  readonly effort: Effort;
  readonly #servers = new Map<string, Promise<ServerProcess>>();
  readonly #ends: (() => unknown)[] = [];

  constructor(effort: Effort) {
    this.effort = effort;
  }

  /** The warm server of a name, started where it does not run yet; one for each version, so that none is in another's way. */
  server(name: ServerName, spoken: Spoken = "1.0"): Promise<ServerProcess> {
    const key = `${name} ${spoken}`;
    const server = this.#servers.get(key) ?? this.#start(name, spoken);
    this.#servers.set(key, server);
    return server;
  }

  /** Is called when the round is over; the last comes first. */
  atEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** A server of its own for one case, with nothing done before; it ends with the round. */
  async fresh(name: ServerName, setup?: ServerSetup): Promise<ServerProcess> {
    const server = await startServer(name, setup);
    this.atEnd(() => server.stop());
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }

  async #start(name: ServerName, spoken: Spoken): Promise<ServerProcess> {
    const server = await this.fresh(name);
    await warmUp(server, this.effort.warmUp, spoken);
    return server;
  }
}
