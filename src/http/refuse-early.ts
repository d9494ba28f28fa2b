import { restFailure } from "../binding/http-json-server.js";
import { rpcFailure } from "../binding/json-rpc-server.js";
import type { A2AError } from "../errors.js";
import type { Exchange } from "./exchange.js";
import type { HttpRequest, HttpResponse } from "./types.js";
import { versionOf } from "./version-of.js";

/**
 * A refusal of a request before its binding saw it, in the form of the binding whose path it has and of the version that
 * its header names. Neither the query nor the body is looked at.
 */
export async function refuseEarly(
  exchange: Exchange,
  request: HttpRequest,
  isRpc: boolean,
  error: A2AError,
): Promise<HttpResponse> {
  const choice = exchange.versions.select(versionOf(request.headers, ""));
  const version = choice.explicit ? choice.version : undefined;
  const known = await (isRpc ? version?.rpc() : version?.rest());
  const shape = await exchange.errorsOf(known?.target.service, error);
  exchange.audit?.(request, undefined, undefined, error.reason);
  return isRpc ? rpcFailure(shape, null, error) : restFailure(shape, error, "application/json");
}
