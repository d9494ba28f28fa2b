import { InputFault } from "../load/fault.js";
import type { OverlayMethod } from "../load/overlay.js";
import type { ProtoRoute, ProtoRpc } from "../load/proto-facts.js";
import { emptyDecl } from "./decls.js";
import { lowerFirst } from "./names.js";
import type { Scope } from "./scope.js";
import { isEmptyInput, methodFact } from "./services.js";
import type { Method, Route, Type } from "./types.js";

/** Operations of a proto service, in its order. A method without a fact in the overlay gets what can be derived. */
export function protoMethods(scope: Scope): Method[] {
  return (scope.proto?.services ?? []).flatMap((service) =>
    service.rpcs.flatMap((rpc) => {
      const fact = methodFact(scope, rpc.name);
      if (fact?.unsupported === true || !isKnown(scope, rpc)) return [];
      if (rpc.clientStreaming === true) {
        throw new InputFault(
          `${rpc.name} streams from the client, which no binding here can do`,
          `proto service ${service.name}`,
          "mark it unsupported in overlay.json",
        );
      }
      return [methodOf(scope, rpc, fact)];
    }),
  );
}

function methodOf(scope: Scope, rpc: ProtoRpc, fact: OverlayMethod | undefined): Method {
  const rest = routesOf(scope, rpc, fact);
  const input = messageType(scope, rpc.input, rpc.name);
  return {
    name: rpc.name,
    key: fact?.key ?? lowerFirst(rpc.name),
    kind: rpc.serverStreaming === true ? "serverStream" : "unary",
    ...(scope.loaded.overlay?.service.jsonrpc === false ? {} : { jsonrpc: fact?.jsonrpc ?? rpc.name }),
    rest,
    grpc: rpc.name,
    input,
    output: messageType(scope, rpc.output, rpc.name),
    emptyInput: isEmptyInput(scope, input),
    idempotent: fact?.idempotent ?? isIdempotent(rpc),
    ...(fact?.capability === undefined ? {} : { capability: fact.capability }),
    errors: fact?.errors ?? [],
    ...(rpc.deprecated === true ? { deprecated: "Marked as deprecated by the specification." } : {}),
  };
}

/** Told by HTTP verbs; a method without routes says nothing and counts as not idempotent. */
function isIdempotent({ routes }: ProtoRpc): boolean {
  return (
    routes.length > 0 && routes.every(({ verb }) => verb === "GET" || verb === "DELETE" || verb === "PUT")
  );
}

/** A borrowed proto file may have methods whose messages this schema lacks. */
function isKnown(scope: Scope, rpc: ProtoRpc): boolean {
  const has = (name: string): boolean => name === "google.protobuf.Empty" || scope.decl(name) !== undefined;
  return scope.loaded.borrowedProto !== true || (has(rpc.input) && has(rpc.output));
}

function messageType(scope: Scope, name: string, rpc: string): Type {
  if (name === "google.protobuf.Empty") {
    scope.declare(emptyDecl(scope));
    return { kind: "ref", name: "Empty" };
  }
  if (scope.decl(name) === undefined)
    throw new InputFault(`uses ${name}, which the JSON schema lacks`, `rpc ${rpc}`);
  return { kind: "ref", name };
}

/** Routes with JSON names for variables. The tenant bindings are one fact of the service, not routes of their own. */
function routesOf(scope: Scope, rpc: ProtoRpc, fact: OverlayMethod | undefined): Route[] {
  const overlay = scope.loaded.overlay?.service;
  if (overlay?.rest === false) return [];
  const hasTenantPrefix = overlay?.tenantPrefix !== false;
  const own = rpc.routes.filter(
    (route) =>
      !(
        hasTenantPrefix &&
        rpc.routes.some((other) => other !== route && route.path === `/{tenant}${other.path}`)
      ),
  );
  if (hasTenantPrefix && overlay !== undefined && own.length * 2 !== rpc.routes.length) {
    throw new InputFault(
      "has a route without its tenant form",
      `rpc ${rpc.name}`,
      "the overlay says that every route has one",
    );
  }
  const routes = fact?.routesOnly === true ? [] : own.map((route) => routeOf(scope, rpc, route));
  const more = (fact?.routes ?? []).map(({ verb, path, body, whole, preferred }) => ({
    route: { verb, path, ...(body === undefined ? {} : { body }), ...(whole === undefined ? {} : { whole }) },
    preferred: preferred === true,
  }));
  return [
    ...more.filter(({ preferred }) => preferred).map(({ route }) => route),
    ...routes,
    ...more.filter(({ preferred }) => !preferred).map(({ route }) => route),
  ];
}

const verbs: readonly Route["verb"][] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function routeOf(scope: Scope, rpc: ProtoRpc, route: ProtoRoute): Route {
  const fields = scope.proto?.messages.find((message) => message.name === rpc.input)?.fields ?? [];
  const jsonName = (name: string, what: string): string => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new InputFault(`the ${what} is not one field`, `rpc ${rpc.name}`);
    return field.json;
  };
  const path = route.path.replace(
    /\{([^}=]+)(=[^}]*)?\}/g,
    (variable, name: string, pattern: string | undefined) => {
      if (pattern !== undefined && !/^=[\w*]+(\/[\w*]+)*$/.test(pattern))
        throw new InputFault(`the pattern of ${variable} is not supported`, `rpc ${rpc.name}`);
      return `{${jsonName(name, `path variable ${variable}`)}${pattern === "=*" ? "" : (pattern ?? "")}}`;
    },
  );
  const verb = verbs.find((candidate) => candidate === route.verb);
  if (verb === undefined) throw new InputFault(`unknown verb ${route.verb}`, `rpc ${rpc.name}`);
  if (route.body === undefined) return { verb, path };
  return { verb, path, body: route.body === "*" ? "*" : jsonName(route.body, `body "${route.body}"`) };
}
