import { LEGACY_EXTENDED_CARD_PATH } from "../card/well-known.js";
import type { Bridge } from "../convert/types.js";
import type { MethodDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { bridgeTarget, type BridgeTargetOptions } from "./bridge-target.js";
import type { CallTarget } from "./router-types.js";

const NEAR = "getExtendedAgentCard";
const FAR = "getAuthenticatedExtendedCard";

/**
 * The extended card as 0.2 has it: not a method but a document, which is fetched like any call (version mapping 3.1).
 * A target with that one route.
 */
export function extendedCardTarget(
  near: CallTarget,
  bridge: Bridge,
  options: BridgeTargetOptions,
): CallTarget {
  const method = near.service.methods[NEAR];
  if (method === undefined) throw new A2AError("CONFIG", `${near.service.name} has no ${NEAR}`);
  const far: MethodDescriptor = {
    name: "GetAuthenticatedExtendedCard",
    kind: "unary",
    rest: [{ verb: "GET", path: LEGACY_EXTENDED_CARD_PATH }],
    input: method.input,
    output: bridge.far.card.table,
    emptyInput: true,
    idempotent: true,
    errors: [],
  };
  const same = (value: unknown): unknown => value;
  const entry = {
    nearName: NEAR,
    near: method,
    farName: FAR,
    far,
    input: { up: same, down: same },
    output: bridge.conversion("AgentCard"),
    inputOrigin: (_given: unknown, pointer: string) => pointer,
  };
  return bridgeTarget(
    near,
    {
      ...bridge,
      far: { ...bridge.far, methods: { [FAR]: far } },
      byNearName: new Map([[NEAR, entry]]),
      byFarName: new Map([[FAR, entry]]),
    },
    options,
  );
}
