import type { Agent } from "../client/agent.js";
import type { ClientAuth } from "../client/auth/types.js";
import type { CachedCard, CardCache } from "../client/card-cache.js";
import { agentAuth } from "./agent-auth.js";
import type { AgentConfig } from "./agents-config.js";

/** How an entry connects; `connect` of the client does. */
export interface ConnectSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly headerOrigins: readonly string[];
  readonly auth?: ClientAuth;
  readonly cache: CardCache;
  /** In ms. */
  readonly discoveryTimeoutMs: number;
}

/** Finds an agent by the URL of its card, or its own. */
export type Connect = (url: string, settings: ConnectSettings) => Promise<Agent>;

/** One agent: connected when it is first needed, and again where its card has changed. */
export class AgentEntry {
  readonly headers: Readonly<Record<string, string>>;
  readonly #config: AgentConfig;
  readonly #connect: Connect;
  readonly #timeoutMs: number;
  // One for all cards, so that tokens outlive a new one.
  #auth: ClientAuth | undefined;
  readonly #cards = new Map<string, CachedCard>();
  readonly #retired = new Set<Agent>();
  #agent: Agent | undefined;
  #opening: Promise<Agent> | undefined;
  /** What the last attempt to connect came to. */
  problem: unknown;

  constructor(config: AgentConfig, connect: Connect, timeoutMs: number) {
    this.headers = config.custom_headers ?? {};
    this.#config = config;
    this.#connect = connect;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether the card has been had. */
  get isOpen(): boolean {
    return this.#agent !== undefined;
  }

  /** The connected agent. Those who ask at the same time share one attempt; one that failed is not remembered. */
  open(): Promise<Agent> {
    if (this.#agent) return Promise.resolve(this.#agent);
    return (this.#opening ??= this.#read().finally(() => {
      this.#opening = undefined;
    }));
  }

  /** Asks for the card again, with its ETag; true where it is another one. */
  async refresh(): Promise<boolean> {
    const before = this.#agent;
    if (before === undefined) {
      await this.open();
      return true;
    }
    const after = await this.#read(before);
    return after !== before;
  }

  /** Ends calls that are under way. */
  async close(): Promise<void> {
    const agents = [...this.#retired, ...(this.#agent ? [this.#agent] : [])];
    this.#retired.clear();
    this.#agent = undefined;
    await Promise.all(agents.map((agent) => agent.close()));
  }

  async #read(before?: Agent): Promise<Agent> {
    try {
      const { auth } = this.#config;
      if (auth !== undefined) this.#auth ??= agentAuth(auth);
      const agent = await this.#connect(this.#config.url, {
        headers: this.headers,
        headerOrigins: this.#config.header_origins ?? [],
        ...(this.#auth && { auth: this.#auth }),
        cache: stale(this.#cards),
        discoveryTimeoutMs: this.#timeoutMs,
      });
      this.problem = undefined;
      if (before && JSON.stringify(before.document) === JSON.stringify(agent.document)) {
        await agent.close();
        return before;
      }
      // Calls that are under way go on over the old one.
      if (this.#agent) this.#retired.add(this.#agent);
      this.#agent = agent;
      return agent;
    } catch (error) {
      this.problem = error;
      throw error;
    }
  }
}

/** Cards that are always asked for again: an entry keeps what it has until somebody wants news. */
const stale = (cards: Map<string, CachedCard>): CardCache => ({
  get(key) {
    const card = cards.get(key);
    return card && { ...card, freshUntil: 0 };
  },
  set(key, card) {
    cards.set(key, card);
    return cards;
  },
  delete: (key) => cards.delete(key),
});
