import type { Agent } from "../client/agent.js";
import type { AgentCard, AgentSkill } from "./a2a-types.js";

/** The card of a connected agent, as sessions hand it out. */
export function cardOf(agent: Agent): AgentCard {
  const { card } = agent;
  const { streaming, pushNotifications } = card.capabilities;
  return {
    name: card.name,
    description: card.description,
    url: agent.interface.url,
    version: card.version,
    protocolVersion: agent.protocolVersion,
    capabilities: {
      ...(streaming !== undefined && { streaming }),
      ...(pushNotifications !== undefined && { pushNotifications }),
    },
    skills: card.skills.map(
      ({ id, name, description, tags, examples, inputModes, outputModes }): AgentSkill => ({
        id,
        name,
        description,
        tags,
        ...(examples && { examples }),
        ...(inputModes && { inputModes }),
        ...(outputModes && { outputModes }),
      }),
    ),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    ...(card.documentationUrl !== undefined && { documentationUrl: card.documentationUrl }),
    ...(card.iconUrl !== undefined && { iconUrl: card.iconUrl }),
  };
}
