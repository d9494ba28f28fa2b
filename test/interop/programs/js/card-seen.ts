import type { AgentCard } from "a2a-typed/v1";

/** What the steps look for in a card. */
export const cardSeen = ({ name, capabilities, skills }: AgentCard) => ({
  name,
  streaming: capabilities.streaming ?? false,
  push: capabilities.pushNotifications ?? false,
  skills: skills.map(({ id }) => id),
});
