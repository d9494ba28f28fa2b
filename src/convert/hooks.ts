import type { Hook } from "./hook.js";
import { apiKeyLocation } from "./hooks/api-key-location.js";
import { apiKeyLocationUp } from "./hooks/api-key-location-up.js";
import { cardRelease } from "./hooks/card-release.js";
import { configName } from "./hooks/config-name.js";
import { configRequest } from "./hooks/config-request.js";
import { count } from "./hooks/count.js";
import { dataPart } from "./hooks/data-part.js";
import { final } from "./hooks/final.js";
import { firstScheme } from "./hooks/first-scheme.js";
import { int32 } from "./hooks/int32.js";
import { interfaces } from "./hooks/interfaces.js";
import { mediaTypeStash } from "./hooks/media-type-stash.js";
import { oneFlow } from "./hooks/one-flow.js";
import { oneFlowDown } from "./hooks/one-flow-down.js";
import { splitOAuthFlows } from "./hooks/split-oauth-flows.js";
import { timestamp } from "./hooks/timestamp.js";
import { timestampDown } from "./hooks/timestamp-down.js";

/** The hooks that a declaration under `schemas/convert/` may name. */
export const hooks: Readonly<Record<string, Hook>> = {
  apiKeyLocation,
  apiKeyLocationUp,
  cardRelease,
  configName,
  configRequest,
  count,
  dataPart,
  final,
  firstScheme,
  int32,
  interfaces,
  mediaTypeStash,
  oneFlow,
  oneFlowDown,
  splitOAuthFlows,
  timestamp,
  timestampDown,
};
