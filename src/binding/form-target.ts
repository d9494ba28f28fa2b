import type { ServiceDescriptor } from "../descriptor.js";
import type { CallTarget } from "../server/router-types.js";

/**
 * A router in the form that its version writes over HTTP+JSON, where that is another one than over JSON-RPC (version
 * mapping 2.17); undefined where it is the same.
 */
export function formTarget(near: CallTarget): Promise<CallTarget> | undefined {
  const { form } = near.service;
  return form && bridged(near, form);
}

async function bridged(near: CallTarget, form: NonNullable<ServiceDescriptor["form"]>): Promise<CallTarget> {
  const [{ bridgeTarget }, { createBridge }, { service: far, hop }] = await Promise.all([
    import("../server/bridge-target.js"),
    import("../convert/bridge.js"),
    form(),
  ]);
  const bridge = createBridge([hop], { near: near.service, far }, { far: hop.older });
  const inputs = createBridge([], { near: near.service, far: near.service });
  return { ...bridgeTarget(near, bridge), json: bridgeTarget(near, bridge, { inputs }) };
}
