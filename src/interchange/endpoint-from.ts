import { isObject } from "../codec/json.js";

/**
 * Where an agent takes JSON-RPC: a JSONRPC interface of its card, one of the version (`Major.Minor`) before any other,
 * else the JSON-RPC endpoint of a 0.x card. `undefined` where there is none, and for what is no card.
 */
export function endpointFrom(card: unknown, version: string): string | undefined {
  if (!isObject(card)) return undefined;
  const interfaces = listOf(card["supportedInterfaces"]).filter(
    ({ protocolBinding, url }) => protocolBinding === "JSONRPC" && isFilled(url),
  );
  const matching = interfaces.find(({ protocolVersion }) => lineOf(protocolVersion) === version);
  const url = (matching ?? interfaces[0])?.["url"] ?? legacyEndpoint(card);
  return isFilled(url) ? url : undefined;
}

/** The main endpoint of a 0.x card speaks JSON-RPC unless it says otherwise; then a further one may. */
function legacyEndpoint({ url, preferredTransport, additionalInterfaces }: Record<string, unknown>): unknown {
  if (preferredTransport === undefined || preferredTransport === "" || preferredTransport === "JSONRPC")
    return url;
  return listOf(additionalInterfaces).find(({ transport }) => transport === "JSONRPC")?.["url"];
}

const isFilled = (value: unknown): value is string => typeof value === "string" && value !== "";
const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
/** `1.0.1` → `1.0`. */
const lineOf = (version: unknown): string | undefined =>
  typeof version === "string" ? /^\d+\.\d+/.exec(version.trim())?.[0] : undefined;
