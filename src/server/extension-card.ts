import { A2AError } from "../errors.js";
import type { AgentCard } from "../versions/pivot.js";
import type { ServerExtension } from "./extension-types.js";

/**
 * A card that lists extensions beside those that it lists itself (A2A-4.6.1-a). Throws `CONFIG` for one that the card
 * says differently, and for two of one URI.
 */
export function withExtensions(card: AgentCard, extensions: readonly ServerExtension[]): AgentCard {
  if (extensions.length === 0) return card;
  const listed = new Map((card.capabilities.extensions ?? []).map((one) => [one.uri, one]));
  const seen = new Set<string>();
  for (const { uri, description, required, params } of extensions) {
    if (typeof uri !== "string" || uri === "" || /[,\s]/.test(uri)) {
      throw config(`${JSON.stringify(uri)} is no URI that fits into a header`);
    }
    if (seen.has(uri)) throw config(`${uri} is there twice`);
    seen.add(uri);
    const known = listed.get(uri);
    if (known !== undefined && (known.required ?? false) !== (required ?? false)) {
      throw config(`${uri}: card and option differ on whether it is required`);
    }
    listed.set(uri, {
      ...known,
      uri,
      ...(description !== undefined && { description }),
      ...(required !== undefined && { required }),
      ...(params !== undefined && { params }),
    });
  }
  return { ...card, capabilities: { ...card.capabilities, extensions: [...listed.values()] } };
}

const config = (problem: string): A2AError => new A2AError("CONFIG", `extensions: ${problem}`);
