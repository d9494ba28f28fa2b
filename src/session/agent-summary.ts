import type { AgentCard, AgentSkill } from "./a2a-types.js";

/** How much a model is told of an agent. */
export type AgentDetail = "name" | "basic" | "skills" | "full";

/** An agent for a model: never its address or headers. */
export interface AgentSummary {
  readonly name: string;
  readonly description?: string;
  /** Names, or names and descriptions. */
  readonly skills?: readonly (string | { readonly name: string; readonly description: string })[];
}

/** What a card says, in as much detail as is asked for. */
export function summarize({ name, description, skills }: AgentCard, detail: AgentDetail): AgentSummary {
  switch (detail) {
    case "name":
      return { name };
    case "basic":
      return { name, description };
    case "skills":
      return { name, description, skills: skills.map((skill) => skill.name) };
    case "full":
      return { name, description, skills: skills.map(skillSummary) };
  }
}

/** A skill with its name and description. */
export const skillSummary = ({ name, description }: AgentSkill): { name: string; description: string } => ({
  name,
  description,
});
