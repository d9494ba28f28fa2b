import { restErrorFrame, restFailure, restFrames, restResult } from "../binding/http-json-server.js";
import { invoke } from "../binding/invoke.js";
import { isJsonType, refuseMediaType, replyType } from "../binding/media-type.js";
import { inputFromBody, inputFromQuery } from "../binding/rest-input.js";
import type { RestMatch, RestRoutes } from "../binding/rest-routes.js";
import { A2AError } from "../errors.js";
import type { CallTarget } from "../server/router-types.js";
import type { Exchange } from "./exchange.js";
import { EMPTY, parseBody } from "./read-json.js";
import type { HttpRequest, HttpResponse } from "./types.js";
import { versionOf } from "./version-of.js";

/** The routes of every version. */
export type RestTables = ReadonlyMap<CallTarget, RestRoutes>;

/**
 * One HTTP+JSON request (`path` is below the base), in the order route → media type → version → authentication → body →
 * the call itself. Never rejects.
 */
export async function serveRest(
  exchange: Exchange,
  tables: RestTables,
  request: HttpRequest,
  path: string,
  query: string,
): Promise<HttpResponse> {
  const { versions } = exchange;
  let { service } = versions.newest;
  const { headers } = request;
  const mediaType = replyType(headers["accept"], headers["content-type"], service.restMediaType);
  let where = "a request";
  try {
    const raw = versionOf(service.headers.version, headers, query);
    const choice = versions.select(raw);
    let found = find(tables, choice.target, request.method, path);
    const other = found ?? findAny(versions.all, tables, request.method, path);
    if (!other) throw noRoute(request.method, verbsOf(versions.all, tables, path));
    const contentType = headers["content-type"];
    const hasBody = other.match.route.body === "*";
    if (
      hasBody &&
      contentType !== undefined &&
      headers["content-length"] !== "0" &&
      !isJsonType(contentType)
    ) {
      throw refuseMediaType(contentType, service.restMediaType);
    }
    if (!choice.explicit && exchange.infer) found = other;
    if (!found) throw choice.explicit && choice.target ? noRoute(request.method, []) : versions.refusal(raw);
    const { target, match } = found;
    service = target.service;
    where = match.method.name;
    const auth = exchange.authenticate ? await exchange.authenticate(request) : undefined;
    const reply = await invoke({
      target,
      methodName: match.methodName,
      method: match.method,
      input: hasBody
        ? inputFromBody(match, await bodyOf(request, exchange.bodyLimit))
        : inputFromQuery(match, query),
      incoming: request,
      auth,
      tenants: tenantsOf(match, hasBody ? query : ""),
      card: exchange.card,
    });
    if (reply.stream) {
      return await exchange.stream(reply.output, reply.headers, {
        request,
        where,
        frame: restFrames,
        errorFrame: (error) => restErrorFrame(exchange.errorsOf(service), error),
      });
    }
    const result = restResult(match.method, reply.output, mediaType);
    return { ...result, headers: { ...reply.headers, ...result.headers } };
  } catch (error) {
    return restFailure(exchange.errorsOf(service), exchange.refusal(error, where, request), mediaType);
  }
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

const find = (
  tables: RestTables,
  target: CallTarget | undefined,
  verb: string,
  path: string,
): Found | undefined => {
  const match = target && tables.get(target)?.match(verb, path);
  return match && { target, match };
};

const findAny = (
  targets: readonly CallTarget[],
  tables: RestTables,
  verb: string,
  path: string,
): Found | undefined => {
  for (const target of targets) {
    const found = find(tables, target, verb, path);
    if (found) return found;
  }
  return undefined;
};

const verbsOf = (targets: readonly CallTarget[], tables: RestTables, path: string): string[] =>
  [...new Set(targets.flatMap((target) => tables.get(target)?.verbsOf(path) ?? []))].sort();

const bodyOf = async (request: HttpRequest, limit: number): Promise<unknown> => {
  const json = parseBody(await request.body(limit));
  return json === EMPTY ? {} : json;
};

const tenantsOf = ({ tenant }: RestMatch, query: string): readonly string[] => {
  const tenants = tenant === undefined ? [] : [tenant];
  return query === "" ? tenants : [...tenants, ...new URLSearchParams(query).getAll("tenant")];
};
