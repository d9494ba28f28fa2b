import type { Agent } from "../client/agent.js";
import { A2AError } from "../errors.js";
import { cardOf } from "./agent-card.js";
import { AgentEntry, type Connect } from "./agent-entry.js";
import { checkHealth, problemOf, type AgentHealth } from "./agent-health.js";
import { skillSummary, summarize, type AgentDetail, type AgentSummary } from "./agent-summary.js";
import type { AgentAuth } from "./agent-auth-config.js";
import { readAgent, type AgentConfig } from "./agents-config.js";
import type { AgentURLAndCustomHeaders } from "./llm-types.js";

/** What an agent is looked for by. Texts are compared without regard to case; all that are given must fit. */
export interface AgentQuery {
  /** Part of the name or the id of a skill. */
  readonly skill?: string | undefined;
  /** A tag of a skill. */
  readonly tag?: string | undefined;
}

/** What became of an agent's card: `loaded` for the first time, or what came of asking again. */
export type AgentChange = "loaded" | "changed" | "unchanged" | "unreachable";

/** Agents by id. Cards are fetched when they are first needed; one that cannot be had is asked for again the next time. */
export class AgentRegistry {
  readonly #entries = new Map<string, AgentEntry>();
  readonly #connect: Connect;
  readonly #timeoutMs: number;

  constructor(agents: ReadonlyMap<string, AgentConfig>, connect: Connect, timeoutMs: number) {
    this.#connect = connect;
    this.#timeoutMs = timeoutMs;
    for (const [id, config] of agents) this.#entries.set(id, this.#entry(config));
  }

  /** Ids of all agents, whether or not their cards can be had. */
  get ids(): readonly string[] {
    return [...this.#entries.keys()].sort();
  }

  /** Why agents could not be reached when they were last asked for their cards, by id. Not for the eyes of a model. */
  get initializationErrors(): Readonly<Record<string, string>> {
    const failed = [...this.#entries].filter(([, entry]) => entry.problem !== undefined);
    return Object.fromEntries(failed.map(([id, entry]) => [id, problemOf(entry.problem)]));
  }

  /** All agents whose cards can be had, with their headers. Not for the eyes of a model. */
  async getAgents(): Promise<Record<string, AgentURLAndCustomHeaders>> {
    const opened = await Promise.all(
      this.ids.map(async (id) => {
        const entry = this.#entries.get(id);
        const agent = await entry?.open().catch(() => undefined);
        return entry && agent ? [[id, describe(agent, entry)] as const] : [];
      }),
    );
    return Object.fromEntries(opened.flat());
  }

  /** An agent with its headers; null where there is none of that id. Rejects where its card cannot be had. */
  async getAgent(agentId: string): Promise<AgentURLAndCustomHeaders | null> {
    const entry = this.#entries.get(agentId);
    return entry ? describe(await entry.open(), entry) : null;
  }

  /** Summaries for a model, sorted by id. */
  async getAgentsForLlm(detail: AgentDetail = "basic"): Promise<Record<string, AgentSummary>> {
    const agents = Object.entries(await this.getAgents());
    return Object.fromEntries(agents.map(([id, { agentCard }]) => [id, summarize(agentCard, detail)]));
  }

  /** A summary for a model; null where there is no such agent. Rejects where its card cannot be had. */
  async getAgentForLlm(agentId: string, detail: AgentDetail = "basic"): Promise<AgentSummary | null> {
    const agent = await this.getAgent(agentId);
    return agent && summarize(agent.agentCard, detail);
  }

  /** Adds an agent once its card is there. Rejects where the id is taken, or the card cannot be had. */
  async addAgent(
    agentId: string,
    url: string,
    customHeaders: Readonly<Record<string, string>> = {},
    auth?: AgentAuth,
  ): Promise<void> {
    if (this.#entries.has(agentId)) throw taken(agentId);
    const entry = this.#entry(
      readAgent(agentId, { url, custom_headers: customHeaders, ...(auth && { auth }) }),
    );
    await entry.open();
    if (this.#entries.has(agentId)) {
      await entry.close();
      throw taken(agentId);
    }
    this.#entries.set(agentId, entry);
  }

  /** Agents that have a skill, with the skills that fit, sorted by id. */
  async findAgents({ skill, tag }: AgentQuery): Promise<Record<string, AgentSummary>> {
    const fits = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());
    const agents = Object.entries(await this.getAgents()).flatMap(([id, { agentCard }]) => {
      const skills = agentCard.skills.filter(
        (one) =>
          (skill === undefined || fits(one.name, skill) || fits(one.id, skill)) &&
          (tag === undefined || one.tags.some((each) => each.toLowerCase() === tag.toLowerCase())),
      );
      const { name, description } = agentCard;
      return skills.length === 0
        ? []
        : [[id, { name, description, skills: skills.map(skillSummary) }] as const];
    });
    return Object.fromEntries(agents);
  }

  /** Asks each agent, or one, for its card and an answer. Not for the eyes of a model. */
  checkHealth(agentId?: string): Promise<Record<string, AgentHealth>> {
    return this.#each(agentId, (entry) => checkHealth(entry, this.#timeoutMs));
  }

  /** Asks for cards again, of all agents or of one: one that has not changed costs an answer without a body (ETag). */
  refresh(agentId?: string): Promise<Record<string, AgentChange>> {
    return this.#each(agentId, async (entry) => {
      const known = entry.isOpen;
      try {
        const changed = await entry.refresh();
        return known ? (changed ? "changed" : "unchanged") : "loaded";
      } catch {
        return "unreachable";
      }
    });
  }

  /** The connected agent. Rejects with `INVALID_PARAMS` where there is none of that id. */
  async open(agentId: string): Promise<Agent> {
    return this.#known(agentId).open();
  }

  /** Ends all calls that are under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => entry.close()));
  }

  #entry(config: AgentConfig): AgentEntry {
    return new AgentEntry(config, this.#connect, this.#timeoutMs);
  }

  #known(agentId: string): AgentEntry {
    const entry = this.#entries.get(agentId);
    if (entry) return entry;
    const known = this.ids.length > 0 ? `there are ${this.ids.join(", ")}` : "there are none at all";
    throw new A2AError("INVALID_PARAMS", `There is no agent ${JSON.stringify(agentId)}; ${known}`);
  }

  async #each<T>(
    agentId: string | undefined,
    ask: (entry: AgentEntry) => Promise<T>,
  ): Promise<Record<string, T>> {
    const ids = agentId === undefined ? this.ids : [agentId];
    const answers = await Promise.all(ids.map(async (id) => [id, await ask(this.#known(id))] as const));
    return Object.fromEntries(answers);
  }
}

const describe = (agent: Agent, { headers }: AgentEntry): AgentURLAndCustomHeaders => ({
  agentCard: cardOf(agent),
  customHeaders: headers,
});

const taken = (agentId: string): A2AError =>
  new A2AError("INVALID_PARAMS", `There is an agent ${JSON.stringify(agentId)} already`);
