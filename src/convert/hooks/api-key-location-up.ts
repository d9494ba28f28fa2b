import type { Hook } from "../hook.js";
import { apiKeyLocation } from "./api-key-location.js";

/** Where an API key stands: any text in the ProtoJSON of 0.x, one of three names in the JSON of the same version. */
export const apiKeyLocationUp: Hook = { ...(apiKeyLocation.down && { up: apiKeyLocation.down }) };
