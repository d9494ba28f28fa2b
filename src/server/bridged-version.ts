import type { Bridge } from "../convert/types.js";
import type { BridgeTargetOptions } from "./bridge-target.js";
import type { CallTarget, LazyTarget } from "./router-types.js";

/** How a version is served by the router of another. */
export interface BridgedVersionOptions extends BridgeTargetOptions {
  readonly loadBridge: (form: string) => Promise<Bridge>;
  /** There is an extended card, which 0.2 has as a document. */
  readonly extendedCard: boolean;
}

/**
 * A version that a router serves through a bridge, loaded with its first request. Where it writes HTTP+JSON in a form of
 * its own, that has a bridge of its own too, so that nothing is converted twice.
 */
export function bridgedVersion(
  near: CallTarget,
  version: string,
  { loadBridge, extendedCard, ...options }: BridgedVersionOptions,
): LazyTarget {
  return {
    version,
    async load(binding) {
      const { bridgeTarget } = await import("./bridge-target.js");
      const bridge = await loadBridge(version);
      if (binding === "JSONRPC" || bridge.far.form === undefined) return bridgeTarget(near, bridge, options);
      const form = await loadBridge(`${version}/proto`);
      const json = bridgeTarget(near, form, { ...options, inputs: bridge });
      return { ...bridgeTarget(near, form, options), json };
    },
    ...(extendedCard && {
      async loadExtendedCard() {
        const { extendedCardTarget } = await import("./extended-card-target.js");
        return extendedCardTarget(near, await loadBridge(version), options);
      },
    }),
  };
}
