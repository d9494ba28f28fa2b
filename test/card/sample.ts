import type { AgentCard } from "../../src/versions/pivot.js";

/** A card with something at every level that canonical forms treat differently. */
export const sampleCard = (): AgentCard => ({
  name: "Sample",
  description: "A card to sign: größer als 1 €",
  supportedInterfaces: [
    { url: "https://agent.example.com/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  version: "1.2.3",
  capabilities: { streaming: false, extensions: [{ uri: "https://example.com/ext", params: { empty: "" } }] },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "Skill", description: "Does it.", tags: ["a"] }],
});

/** `sampleCard` where every form agrees: nothing empty, nothing unknown, ASCII. */
export const plainCard = (): AgentCard => ({
  ...sampleCard(),
  description: "A card to sign",
  capabilities: { streaming: true },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
});
