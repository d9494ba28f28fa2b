import type { Hook } from "./hook.js";
import { apiKeyLocation } from "./hooks/api-key-location.js";
import { cardRelease } from "./hooks/card-release.js";
import { count } from "./hooks/count.js";
import { dataPart } from "./hooks/data-part.js";
import { final } from "./hooks/final.js";
import { firstScheme } from "./hooks/first-scheme.js";
import { int32 } from "./hooks/int32.js";
import { interfaces } from "./hooks/interfaces.js";
import { mediaTypeStash } from "./hooks/media-type-stash.js";
import { oneFlow } from "./hooks/one-flow.js";
import { splitOAuthFlows } from "./hooks/split-oauth-flows.js";
import { timestamp } from "./hooks/timestamp.js";

/** The hooks that a declaration under `schemas/convert/` may name. */
export const hooks: Readonly<Record<string, Hook>> = {
  apiKeyLocation,
  cardRelease,
  count,
  dataPart,
  final,
  firstScheme,
  int32,
  interfaces,
  mediaTypeStash,
  oneFlow,
  splitOAuthFlows,
  timestamp,
};
