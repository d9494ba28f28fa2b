import type { Json } from "../descriptor.js";
import type { Granted } from "../granted.js";
import type { Scope } from "../store/types.js";
import type { RequestInfo } from "./request-info.js";

/** A run as it is kept with its task while it goes on, so that another process can start it again. */
export interface KeptRun {
  /** Number of the message that it began with, as `StoredMessage.k`; 0: the one that opened the task. */
  readonly k: number;
  readonly attempt: number;
  readonly request: KeptRequest;
}

/** What a handler may know of its request, as JSON. */
export interface KeptRequest extends Partial<
  Pick<RequestInfo, "tenant" | "metadata" | "extensions" | "acceptedOutputModes" | "trace">
> {
  readonly principal?: unknown;
  /** Schemes that were shown, with their scopes. */
  readonly granted?: { readonly principal: unknown; readonly schemes: [string, readonly string[]][] };
}

/** A run to be kept. */
export const keptRun = (k: number, attempt: number, request: RequestInfo): KeptRun => ({
  k,
  attempt,
  request: keepRequest(request),
});

/** A request to be kept, or told to another instance; what of it has no JSON form is left out. */
export function keepRequest(request: RequestInfo): KeptRequest {
  const { tenant, metadata, extensions, acceptedOutputModes, principal, granted, trace } = request;
  return {
    ...(tenant !== undefined && { tenant }),
    ...(metadata !== undefined && { metadata }),
    ...(extensions.length > 0 && { extensions }),
    ...(acceptedOutputModes.length > 0 && { acceptedOutputModes }),
    ...(principal !== undefined && { principal: jsonOf(principal) }),
    ...(granted !== undefined && {
      granted: { principal: jsonOf(granted.principal), schemes: [...granted.schemes] },
    }),
    ...(trace !== undefined && { trace }),
  };
}

/** A request that was kept. */
export function keptRequest(kept: KeptRequest, scope: Scope): RequestInfo {
  const { tenant, metadata, extensions = [], acceptedOutputModes = [], principal, granted, trace } = kept;
  return {
    scope,
    tenant,
    metadata,
    extensions,
    acceptedOutputModes,
    principal,
    granted: grantedOf(granted),
    trace,
  };
}

const grantedOf = (granted: KeptRequest["granted"]): Granted | undefined =>
  granted && { principal: granted.principal, schemes: new Map(granted.schemes) };

function jsonOf(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    // A principal may hold anything; the run is worth more than it.
    return undefined;
  }
}
