// An agent of Cloudflare Workers. Tasks outlive a request, so the server lives in a Durable Object, and its memory there.
import { createServer, type AgentServer } from "a2a-typed/server";
import { agent, options } from "./agent.js";

/** Bindings of the Worker. */
export interface Env {
  /** Public URL of the agent. */
  readonly URL: string;
  readonly AGENT: {
    getByName(name: string): { fetch(request: Request): Promise<Response> };
  };
}

export class AgentObject {
  readonly #server: AgentServer;

  constructor(_state: unknown, { URL: url }: Env) {
    this.#server = createServer(agent, { ...options, url });
  }

  fetch(request: Request): Promise<Response> {
    return this.#server.fetch(request);
  }
}

// eslint-disable-next-line no-restricted-exports -- the shape of a Worker
export default {
  fetch: (request: Request, { AGENT }: Env): Promise<Response> => AGENT.getByName("agent").fetch(request),
};
