import { A2AError } from "../errors.js";

/** The `id` of a JSON-RPC request, echoed as it came. */
export type RpcId = string | number | null;

/** A request whose envelope is right. */
export interface RpcEnvelope {
  readonly method: string;
  readonly params: unknown;
  /** True where there is no `id`: the caller expects no answer. */
  readonly notification: boolean;
}

/** The id of whatever was sent, or null where it has none that can be read (A2A-JR-a). */
export function rpcId(json: unknown): RpcId {
  if (typeof json !== "object" || json === null || !("id" in json)) return null;
  const { id } = json;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Checks the envelope; throws `INVALID_REQUEST` (A2A-JR-d, A2A-JR-e), or `INVALID_PARAMS` where params are no object. */
export function readEnvelope(json: unknown): RpcEnvelope {
  if (Array.isArray(json)) throw invalid("batches are not supported; send one request object");
  if (typeof json !== "object" || json === null) throw invalid("expected a request object");
  const { jsonrpc, method, params, id } = json as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0") throw invalid('jsonrpc must be "2.0"');
  if (id !== undefined && id !== null && typeof id !== "string" && typeof id !== "number") {
    throw invalid("id must be a string, a number or null");
  }
  if (typeof method !== "string") throw invalid("method must be a string");
  if (params !== undefined && params !== null && (typeof params !== "object" || Array.isArray(params))) {
    throw new A2AError("INVALID_PARAMS", "params must be an object", {
      code: -32602,
      violations: [{ field: "", pointer: "", description: "params must be an object" }],
    });
  }
  return { method, params: params ?? {}, notification: id === undefined };
}

const invalid = (what: string): A2AError =>
  new A2AError("INVALID_REQUEST", `Request payload validation error: ${what}`, { code: -32600 });
