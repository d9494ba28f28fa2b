import type { JsonObject } from "../descriptor.js";
import type { TraceContext } from "../telemetry/trace-context.js";
import type { ObservedCall } from "../telemetry/types.js";
import type { Granted } from "../granted.js";
import type { Scope } from "../store/types.js";

/** What a handler may know of the request that it works for. */
export interface RequestInfo {
  readonly scope: Scope;
  readonly principal: unknown;
  readonly granted: Granted | undefined;
  readonly tenant: string | undefined;
  readonly metadata: JsonObject | undefined;
  readonly extensions: readonly string[];
  readonly acceptedOutputModes: readonly string[];
  /** W3C trace context of the request. */
  readonly trace?: TraceContext | undefined;
  /** Who watches the call. */
  readonly observed?: ObservedCall | undefined;
}
