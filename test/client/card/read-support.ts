import { expect } from "vitest";
import { readAgentCard, type ReadCard } from "a2a-typed/client";
import type { A2AError } from "a2a-typed";

export const at = "https://host.example.com/agents/a/.well-known/agent-card.json";
export const body = {
  name: "A",
  description: "d",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};
export const current = {
  ...body,
  supportedInterfaces: [
    { url: "https://a.example.com/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
};
export const legacy = { ...body, url: "https://a.example.com/", protocolVersion: "0.3.0" };

export const read = (card: object | string): ReadCard => readAgentCard(card, { url: at });
export const codes = ({ problems }: ReadCard): string[] =>
  problems.map(({ pointer, code }) => `${pointer} ${code}`);
export function refusal(card: object | string, strict = false): A2AError {
  try {
    readAgentCard(card, { url: at, strict });
  } catch (error) {
    return error as A2AError;
  }
  return expect.fail("it was read");
}
/** One URL as the only interface of a 1.0 card. */
export const withUrl = (url: unknown): object => ({
  ...body,
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
});
