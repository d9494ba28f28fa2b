import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import type { A2AError } from "../errors.js";
import type { Step } from "./chain.js";

/**
 * What happened to a member that could not be carried over as it was. `dropped`: it has no place in the other version.
 * `truncated`: a list or group of which one survives. `synthesized`: invented because the other version demands it.
 * `normalized`: the same meaning in another spelling. `reserved`: it collides with a key that conversion needs.
 */
export type LossCode = "dropped" | "truncated" | "synthesized" | "normalized" | "reserved";

/** One entry of a loss report; `path` is a JSON pointer into the value that was given. */
export interface Loss {
  readonly path: string;
  readonly code: LossCode;
}

/** How values are converted; what is left out has the default of the version mapping. */
export interface ConversionOptions {
  /** The event is the last one of its stream: `final` of 0.x is true whatever the state says. */
  readonly endOfStream?: boolean | undefined;
  /** Bindings of 1.x interfaces that also answer 0.x at the same URL; without them a card with no 0.x interface is refused. */
  readonly legacyBindings?: readonly string[] | undefined;
  /** Several OAuth flows of one 0.x scheme become several schemes (decision 5). Default: one is kept, the rest reported. */
  readonly splitOAuthFlows?: boolean | undefined;
  /** Keeps media type and file name of text and data parts under a reserved metadata key (decision 13). Default false. */
  readonly stashMediaTypes?: boolean | undefined;
}

/**
 * Converts one canonical (decoded) value; shapes are trusted, nothing is checked twice. What is equal in both versions
 * is shared, not copied; the value given is never changed. Throws `A2AError` where the other version cannot say it.
 */
export type Conversion = (value: unknown, options?: ConversionOptions, losses?: Loss[]) => unknown;

/** Both directions of a conversion: `up` goes toward the near version of a bridge (the pivot), `down` away from it. */
export interface TwoWay {
  readonly up: Conversion;
  readonly down: Conversion;
  /** The steps that `down` takes, for who wants text of what it makes (`createTextChain`). */
  readonly steps?: readonly Step[];
}

/** One operation as both ends of a bridge know it. For streams, `output` is one event. */
export interface MethodBridge {
  /** Key in the near service: `subscribeToTask`. */
  readonly nearName: string;
  readonly near: MethodDescriptor;
  /** Key in the far service: `resubscribeToTask`. */
  readonly farName: string;
  readonly far: MethodDescriptor;
  readonly input: TwoWay;
  readonly output: TwoWay;
  /** Where a JSON pointer into an input that was converted up leads in the input that was given. */
  readonly inputOrigin: (given: unknown, pointer: string) => string;
}

/**
 * The way between two forms of the protocol: `near` is usually the pivot, `far` an older version or the ProtoJSON form
 * of one. Operations that only one side has are not in it.
 */
export interface Bridge {
  readonly near: ServiceDescriptor;
  readonly far: ServiceDescriptor;
  readonly byNearName: ReadonlyMap<string, MethodBridge>;
  readonly byFarName: ReadonlyMap<string, MethodBridge>;
  /** Conversion of a named type of the near version (`Task`, `AgentCard`, `StreamResponse`). Throws `CONFIG` for an unknown one. */
  conversion(type: string): TwoWay;
  /** An error of one side as the other side names it: reasons are matched by code, details are kept. */
  errorUp(error: A2AError): A2AError;
  errorDown(error: A2AError): A2AError;
}
