import { restFailure, restFrames, restResult } from "../binding/http-json-server.js";
import { invoke, type Invocation } from "../binding/invoke.js";
import { isJsonType, refuseMediaType, replyType } from "../binding/media-type.js";
import { inputFromBody, inputFromQuery } from "../binding/rest-input.js";
import type { RestMatch } from "../binding/rest-routes.js";
import type { RestTarget, ServedVersion } from "../binding/served-version.js";
import { misfits } from "../codec/misfits.js";
import type { ServiceDescriptor } from "../descriptor.js";
import type { Authenticated } from "../binding/server-types.js";
import { A2AError } from "../errors.js";
import type { CallTarget } from "../server/router-types.js";
import type { Exchange } from "./exchange.js";
import { privateCard } from "./private-card.js";
import { EMPTY, parseBody } from "./read-json.js";
import type { HttpRequest, HttpResponse } from "./types.js";
import { UNNAMED } from "./unnamed-call.js";
import { versionOf } from "./version-of.js";

/** The routes that a version has for a request: those of HTTP+JSON, or others that are served alike. */
export type RoutesOf = (version: ServedVersion) => RestTarget | Promise<RestTarget> | undefined;

/**
 * One HTTP+JSON request (`path` is below the base), in the order route → media type → version → authentication → body →
 * the call itself. Never rejects.
 */
export async function serveRest(
  exchange: Exchange,
  routesOf: RoutesOf,
  request: HttpRequest,
  path: string,
  query: string,
): Promise<HttpResponse> {
  const { versions } = exchange;
  const { headers, method: verb } = request;
  let service: ServiceDescriptor | undefined;
  let where = UNNAMED;
  let auth: Authenticated | undefined;
  let invocation: Invocation | undefined;
  const observed = exchange.telemetry?.current?.call("HTTP+JSON", headers);
  try {
    const raw = versionOf(headers, query);
    const choice = versions.select(raw);
    const loading = choice.version && routesOf(choice.version);
    const chosen = loading instanceof Promise ? await loading : loading;
    service = chosen?.target.service;
    let found = find(chosen, verb, path);
    if (!found && choice.explicit && choice.version) throw noRoute(verb, chosen?.routes.verbsOf(path) ?? []);
    const any = found ?? (await findAny(versions.all, routesOf, verb, path));
    const contentType = headers["content-type"];
    const hasBody = any.match.route.body !== undefined;
    if (
      hasBody &&
      contentType !== undefined &&
      headers["content-length"] !== "0" &&
      !isJsonType(contentType)
    ) {
      throw refuseMediaType(contentType, any.target.service.restMediaType);
    }
    if (!choice.explicit && exchange.infer) found = any;
    if (!found) throw versions.refusal(raw);
    const { target, match } = found;
    service = target.service;
    where = match.method.name;
    observed?.named(where, service.version);
    if (exchange.authenticate) auth = await exchange.authenticate(request);
    if (exchange.limit) await exchange.limit(request, auth, where);
    const body = hasBody ? bodyOf(await request.body(exchange.bodyLimit)) : undefined;
    const input = hasBody ? inputFromBody(match, body, query) : inputFromQuery(match, query);
    const other = inJson(found, body);
    invocation = {
      target: other?.target ?? target,
      methodName: match.methodName,
      method: other?.method ?? match.method,
      input,
      incoming: request,
      auth,
      tenants: tenantsOf(match, hasBody ? query : ""),
      card: exchange.card,
      observed,
    };
    const reply = await invoke(invocation);
    exchange.audit?.(request, where, auth?.principal, "ok");
    if (reply.stream) {
      const shape = exchange.withErrorTable(target.service);
      const of = { request, where, frames: restFrames, shape, observed };
      return await exchange.stream(reply.output, reply.headers, of);
    }
    observed?.end();
    const response = restResult(match.method, reply, mediaTypeOf(request, target.service));
    return match.method.capability === "extendedAgentCard" ? privateCard(response, request) : response;
  } catch (error) {
    const refusal = exchange.refusal(error, where, request);
    observed?.end(refusal.reason);
    exchange.audit?.(request, where === UNNAMED ? undefined : where, auth?.principal, refusal.reason);
    const shape = await exchange.errorsOf(service, refusal);
    const failure = restFailure(shape, refusal, mediaTypeOf(request, shape));
    if (invocation?.echo !== undefined) failure.headers[shape.headers.extensions] = invocation.echo;
    // Of what is thrown before a method is found, only a missing route is a 404; another version may have it.
    if (failure.status !== 404 || where !== UNNAMED) return failure;
    return { ...failure, unrouted: !(await isPath(versions.all, routesOf, path)) };
  }
}

/**
 * The target for a body that is written in the JSON of the version where its routes are those of another form: the table
 * that it fits better decides. Undefined for the form itself.
 */
function inJson(
  { target: { json }, match: { methodName, method, route, params } }: Found,
  body: unknown,
): Pick<Invocation, "target" | "method"> | undefined {
  // What has its subject in the path has nothing in the body that the two forms write differently.
  if (json === undefined || route.body !== "*" || Object.keys(params).length > 0) return undefined;
  const other = json.service.methods[methodName];
  if (other === undefined || misfits(other.input, body) >= misfits(method.input, body)) return undefined;
  return { target: json, method: other };
}

/** The refusal of a path (404), or of a verb that the path does not take (405). */
export function noRoute(verb: string, allowed: readonly string[]): A2AError {
  if (allowed.length === 0) return new A2AError("METHOD_NOT_FOUND", "No such route", { code: -32601 });
  const allow = allowed.join(", ");
  return new A2AError("METHOD_NOT_FOUND", `${verb.slice(0, 16)} is not allowed here; use ${allow}`, {
    code: -32601,
    status: 405,
    headers: { allow },
  });
}

interface Found {
  readonly target: CallTarget;
  readonly match: RestMatch;
}

const find = (rest: RestTarget | undefined, verb: string, path: string): Found | undefined => {
  const match = rest?.routes.match(verb, path);
  return rest && match && { target: rest.target, match };
};

/** The route in whatever version has it, newest first; throws where none has. */
const findAny = async (
  versions: readonly ServedVersion[],
  routesOf: RoutesOf,
  verb: string,
  path: string,
): Promise<Found> => {
  const verbs = new Set<string>();
  for (const version of versions) {
    const rest = await routesOf(version);
    const found = find(rest, verb, path);
    if (found) return found;
    for (const other of rest?.routes.verbsOf(path) ?? []) verbs.add(other);
  }
  throw noRoute(verb, [...verbs].sort());
};

/** Whether any version has this path, with whatever verb. */
const isPath = async (
  versions: readonly ServedVersion[],
  routesOf: RoutesOf,
  path: string,
): Promise<boolean> => {
  for (const version of versions) {
    if (((await routesOf(version))?.routes.verbsOf(path) ?? []).length > 0) return true;
  }
  return false;
};

const mediaTypeOf = ({ headers }: HttpRequest, { restMediaType }: ServiceDescriptor): string =>
  replyType(headers["accept"], headers["content-type"], restMediaType);

const bodyOf = (text: Awaited<ReturnType<HttpRequest["body"]>>): unknown => {
  const json = parseBody(text);
  return json === EMPTY ? {} : json;
};

/** Tenants in path and query, where the version has tenants: in 0.x the name means nothing. */
const tenantsOf = ({ tenant, method: { input } }: RestMatch, query: string): readonly string[] => {
  // The params of an extension's method have no table, and 1.0 alone has such methods.
  const has = input.is === "object" ? Object.hasOwn(input.fields, "tenant") : input.is === "struct";
  if (!has) return [];
  const tenants = tenant === undefined ? [] : [tenant];
  return query === "" ? tenants : [...tenants, ...new URLSearchParams(query).getAll("tenant")];
};
