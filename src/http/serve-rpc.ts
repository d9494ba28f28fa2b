import { findMethod } from "../binding/find-method.js";
import { invoke, type Invocation } from "../binding/invoke.js";
import { rpcErrorFrame, rpcFailure, rpcFrames, rpcResult } from "../binding/json-rpc-server.js";
import { isToldAsEvent } from "../binding/is-told-as-event.js";
import { isJsonType, refuseMediaType } from "../binding/media-type.js";
import { readEnvelope, rpcId, type RpcId } from "../binding/rpc-envelope.js";
import type { ServiceDescriptor } from "../descriptor.js";
import type { Authenticated } from "../binding/server-types.js";
import { A2AError } from "../errors.js";
import { sseHeaders, type Exchange } from "./exchange.js";
import { EMPTY, parseBody } from "./read-json.js";
import type { HttpRequest, HttpResponse } from "./types.js";
import { UNNAMED } from "./unnamed-call.js";
import { versionOf } from "./version-of.js";

/** A version error must echo the id, which is in the body; more than this is not read for it. */
const peekBytes = 65_536;

/**
 * One POST to the JSON-RPC endpoint, in the order media type → version → authentication → body → envelope → method →
 * the call itself. Never rejects.
 */
export async function serveRpc(
  exchange: Exchange,
  request: HttpRequest,
  query: string,
): Promise<HttpResponse> {
  const { versions } = exchange;
  let service: ServiceDescriptor | undefined;
  let id: RpcId = null;
  let where = UNNAMED;
  let auth: Authenticated | undefined;
  let streaming = false;
  let invocation: Invocation | undefined;
  const observed = exchange.telemetry?.current?.call("JSONRPC", request.headers);
  try {
    const raw = versionOf(request.headers, query);
    const choice = versions.select(raw);
    const loading = choice.version?.rpc();
    const chosen = loading instanceof Promise ? await loading : loading;
    service = chosen?.target.service;
    const contentType = request.headers["content-type"];
    if (contentType !== undefined && !isJsonType(contentType)) {
      throw refuseMediaType(contentType, "application/json");
    }
    if (!choice.version && (choice.explicit || !exchange.infer)) {
      if (await mayPeek(exchange, request)) id = await peekId(request, exchange.bodyLimit);
      throw versions.refusal(raw);
    }
    if (exchange.authenticate) auth = await exchange.authenticate(request);
    const json = parseBody(await request.body(exchange.bodyLimit));
    if (json === EMPTY) throw new A2AError("PARSE_ERROR", "Invalid JSON payload: the body is empty");
    id = rpcId(json);
    const { method: name, params, notification } = readEnvelope(json);
    // A2A has no notifications: 1.0 neither answers nor runs them, in 0.x the id is null where it is missing.
    if (notification && chosen?.target.service.errorData !== "any") {
      observed?.end();
      return { status: 204, headers: {}, body: "" };
    }
    const { target, methodName, method } =
      chosen?.methods.get(name) ?? (await findMethod(versions, choice, raw, name, exchange.infer));
    const shape = exchange.withErrorTable(target.service);
    service = target.service;
    where = method.name;
    observed?.named(where, service.version);
    streaming = method.kind === "serverStream";
    if (exchange.limit) await exchange.limit(request, auth, where);
    invocation = {
      target,
      methodName,
      method,
      input: params,
      incoming: request,
      auth,
      card: exchange.card,
      observed,
    };
    const reply = await invoke(invocation);
    exchange.audit?.(request, where, auth?.principal, "ok");
    if (reply.stream) {
      const of = { request, where, frames: rpcFrames(id), shape, observed };
      return await exchange.stream(reply.output, reply.headers, of);
    }
    observed?.end();
    return {
      status: 200,
      headers: {
        ...reply.headers,
        "content-type": "application/json",
        "x-content-type-options": "nosniff",
      },
      body: rpcResult(id, method, reply.output),
    };
  } catch (error) {
    const refusal = exchange.refusal(error, where, request);
    observed?.end(refusal.reason);
    exchange.audit?.(request, where === UNNAMED ? undefined : where, auth?.principal, refusal.reason);
    const shape = await exchange.errorsOf(service, refusal);
    const failure = rpcFailure(shape, id, refusal);
    if (invocation?.echo !== undefined) failure.headers[shape.headers.extensions] = invocation.echo;
    if (!streaming || failure.status !== 200 || !isToldAsEvent(shape, refusal, request.headers["accept"]))
      return failure;
    return {
      status: 200,
      headers: { ...failure.headers, ...sseHeaders },
      body: rpcErrorFrame(shape, id, refusal),
    };
  }
}

/**
 * Nothing of a body is read for strangers, not even the id; nor for callers beyond their limit, who would learn from it
 * which credentials are good.
 */
const mayPeek = async ({ authenticate, limit }: Exchange, request: HttpRequest): Promise<boolean> => {
  try {
    const auth = await authenticate?.(request);
    await limit?.(request, auth, undefined);
    return true;
  } catch {
    return false;
  }
};

const peekId = async (request: HttpRequest, limit: number): Promise<RpcId> => {
  try {
    return rpcId(parseBody(await request.body(Math.min(limit, peekBytes))));
  } catch {
    return null;
  }
};
