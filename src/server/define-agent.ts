import { A2AError } from "../errors.js";
import type { JsonObject } from "../descriptor.js";
import type { AgentCard } from "../versions/pivot.js";
import type { Agent, AgentDefinition, Handler } from "./agent-types.js";

const DAY = 24 * 60 * 60 * 1000;

/**
 * Checks an agent and fills in defaults. `State` types `ctx.state`.
 * Throws `CONFIG` where the definition cannot work.
 */
export function defineAgent<State extends object = JsonObject>(definition: AgentDefinition<State>): Agent {
  for (const name of Object.keys(definition)) {
    if (!KNOWN.includes(name)) throw config(`there is no option ${name}; there are ${KNOWN.join(", ")}`);
  }
  const { card } = definition;
  if (typeof definition.handle !== "function") throw config("handle must be a function");
  for (const name of ["name", "description"] as const) {
    if (typeof card[name] !== "string" || card[name] === "") throw config(`card.${name} must be a text`);
  }
  if (!Array.isArray(card.skills)) throw config("card.skills must be a list");
  const { recovery = "fail", maxAttempts = 3 } = definition;
  if (recovery !== "fail" && (recovery as string) !== "rerun")
    throw config('recovery must be "fail" or "rerun"');
  if (!(maxAttempts >= 1)) throw config("maxAttempts must be a number of at least 1");
  return {
    card: withDefaults(card),
    // State is whatever JSON this agent kept earlier: only the agent knows its shape.
    handle: definition.handle as unknown as Handler,
    replies: definition.replies ?? "task",
    autoDelayMs: definition.autoDelayMs ?? 100,
    inbox: definition.inbox ?? "queue",
    cancel: definition.cancel ?? "immediate",
    cancelGraceMs: definition.cancelGraceMs ?? 5_000,
    detachedTimeout: definition.detachedTimeout ?? DAY,
    recovery,
    maxAttempts,
  };
}

const KNOWN: readonly string[] = [
  "card",
  "handle",
  "replies",
  "autoDelayMs",
  "inbox",
  "cancel",
  "cancelGraceMs",
  "detachedTimeout",
  "recovery",
  "maxAttempts",
] satisfies (keyof AgentDefinition)[];

const withDefaults = (card: AgentDefinition["card"]): AgentCard => ({
  version: "1.0.0",
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  supportedInterfaces: [],
  ...card,
  capabilities: { streaming: true, ...card.capabilities },
});

const config = (problem: string): A2AError => new A2AError("CONFIG", `defineAgent: ${problem}`);
