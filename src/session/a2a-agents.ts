import { connect } from "../client/connect.js";
import type { ConnectOptions } from "../client/connect-options.js";
import { AgentRegistry } from "./agent-registry.js";
import { readAgentsConfig, type AgentsConfig } from "./agents-config.js";

/** Options of `A2AAgents`. */
export interface A2AAgentsOptions {
  /** Time to find a card, in seconds; default 15. */
  readonly timeout?: number | undefined;
  /** Options of `connect` for every agent. */
  readonly connect?:
    Omit<ConnectOptions, "headers" | "headerOrigins" | "cache" | "discoveryTimeoutMs"> | undefined;
}

/**
 * Agents of any protocol version by ids of your own, so that a model never sees an address or a header. Given as an object,
 * as the path of a JSON file, or added later. Throws `CONFIG` where an entry is wrong.
 */
export class A2AAgents extends AgentRegistry {
  constructor(
    agents?: AgentsConfig | string | null,
    { timeout = 15, connect: options }: A2AAgentsOptions = {},
  ) {
    super(
      readAgentsConfig(agents),
      // A session makes up contexts, and agents may prefer their own.
      (url, settings) => connect(url, { otherContext: "accept", ...options, ...settings }),
      timeout * 1_000,
    );
  }
}
