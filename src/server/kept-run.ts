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
interface KeptRequest extends Partial<
  Pick<RequestInfo, "tenant" | "metadata" | "extensions" | "acceptedOutputModes">
> {
  readonly principal?: unknown;
  /** Schemes that were shown, with their scopes. */
  readonly granted?: { readonly principal: unknown; readonly schemes: [string, readonly string[]][] };
}

/** A run to be kept; what of the request has no JSON form is left out. */
export function keptRun(k: number, attempt: number, request: RequestInfo): KeptRun {
  const { tenant, metadata, extensions, acceptedOutputModes, principal, granted } = request;
  return {
    k,
    attempt,
    request: {
      ...(tenant !== undefined && { tenant }),
      ...(metadata !== undefined && { metadata }),
      ...(extensions.length > 0 && { extensions }),
      ...(acceptedOutputModes.length > 0 && { acceptedOutputModes }),
      ...(principal !== undefined && { principal: jsonOf(principal) }),
      ...(granted !== undefined && {
        granted: { principal: jsonOf(granted.principal), schemes: [...granted.schemes] },
      }),
    },
  };
}

/** The request of a run that was kept. */
export function keptRequest({ request }: KeptRun, scope: Scope): RequestInfo {
  const { tenant, metadata, extensions = [], acceptedOutputModes = [], principal, granted } = request;
  return { scope, tenant, metadata, extensions, acceptedOutputModes, principal, granted: grantedOf(granted) };
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
