import type { PublishedCard } from "../card/card-source.js";
import type { Bridge, ConversionOptions } from "../convert/types.js";
import { isA2AError } from "../errors.js";
import type { CardSigner } from "./card-signer.js";
import { pivot, type AgentCard } from "../versions/pivot.js";

/** What the card of a server depends on. */
export interface PublishedCardOptions {
  /** The card in the pivot version. */
  readonly card: () => AgentCard;
  /** Versions that are served, newest first. */
  readonly versions: readonly string[];
  readonly conversion: ConversionOptions;
  /** Signs what is published in the pivot version. */
  readonly sign?: CardSigner | undefined;
  readonly loadBridge: (form: string) => Promise<Bridge>;
  /** Told where the card cannot be said in an older version. */
  readonly log: { error(message: string, details?: unknown): void };
}

/**
 * The card in the version that is asked for. A request that names none gets a card for readers of both generations while
 * both are served (decision 12), which carries no signatures.
 */
export function publishedCard({
  card,
  versions,
  conversion,
  sign,
  loadBridge,
  log,
}: PublishedCardOptions): PublishedCard {
  const made = new Map<string, { readonly of: AgentCard; readonly document: Promise<object> }>();
  const [newest = pivot.version] = versions;
  const legacy = versions.find((version) => version !== pivot.version);

  async function convert(of: AgentCard, version: string): Promise<object> {
    const bridge = await loadBridge(version);
    return bridge.conversion("AgentCard").down(of, conversion) as object;
  }

  async function hybrid(of: AgentCard, version: string): Promise<object> {
    try {
      const older = await convert(of, version);
      const { hybridCard } = await import("../card/hybrid-card.js");
      return hybridCard(of, older);
    } catch (error) {
      // The author's own interfaces leave none for older clients: the card says so.
      if (isA2AError(error, "VERSION_NOT_SUPPORTED")) return of;
      if (!isA2AError(error, "INVALID_AGENT_RESPONSE")) throw error;
      // Readers of the newest version must find the agent all the same.
      log.error(`a2a: the card cannot be said in A2A ${version}, so it offers that to nobody`, error);
      return of;
    }
  }

  function once(key: string, make: (of: AgentCard) => Promise<object>): Promise<object> {
    const of = card();
    const known = made.get(key);
    if (known?.of === of) return known.document;
    const document = make(of);
    made.set(key, { of, document });
    // What failed is tried again.
    document.catch(() => made.delete(key));
    return document;
  }

  return (asked) => {
    const version = asked ?? newest;
    if (version !== pivot.version) return once(version, (of) => convert(of, version));
    if (asked !== undefined || legacy === undefined) {
      return sign === undefined ? card() : once(pivot.version, sign);
    }
    return once("", (of) => hybrid(of, legacy));
  };
}
