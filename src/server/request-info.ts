import type { JsonObject } from "../descriptor.js";
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
}
