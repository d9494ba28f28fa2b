import type { OverlayMethod } from "../load/overlay.js";
import { InputFault } from "../load/fault.js";
import { protoMethods } from "./service-proto.js";
import { plainMethods } from "./service-plain.js";
import type { Scope } from "./scope.js";
import type { Method, ServiceFacts, Type } from "./types.js";

/** The operations of the version: from the proto service (1.x) or from the request definitions (0.x). */
export function methodsOf(scope: Scope): Method[] {
  const methods = scope.isProtoJson ? protoMethods(scope) : plainMethods(scope);
  const unknown = Object.keys(scope.loaded.overlay?.methods ?? {}).find(
    (name) => !methods.some((m) => m.name === name),
  );
  const isLeftOut = unknown !== undefined && scope.loaded.overlay?.methods[unknown]?.unsupported === true;
  if (unknown !== undefined && !scope.loaded.lenient && !isLeftOut) {
    throw new InputFault("is not a method of the schema", `overlay.json#/methods/${unknown}`);
  }
  return methods;
}

/** The overlay's facts about a method, or none. */
export function methodFact(scope: Scope, name: string): OverlayMethod | undefined {
  const methods = scope.loaded.overlay?.methods;
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** True where `{}` is a legal input. */
export function isEmptyInput(scope: Scope, input: Type): boolean {
  if (input.kind !== "ref") return false;
  const decl = scope.decl(input.name);
  return (
    decl?.kind === "object" && decl.fields.every((f) => !f.required) && decl.oneofs.every((o) => !o.required)
  );
}

/** Facts of the version that are not types. */
export function serviceFacts(scope: Scope): ServiceFacts {
  const service = scope.loaded.overlay?.service;
  const { isProtoJson } = scope;
  const pkg = scope.proto === undefined ? {} : { package: scope.proto.package };
  if (service === undefined || (scope.loaded.lenient && scope.definition(service.card.type) === undefined)) {
    return {
      name: scope.proto?.services[0]?.name ?? "A2AService",
      ...pkg,
      headers: { version: "a2a-version", extensions: isProtoJson ? "a2a-extensions" : "x-a2a-extensions" },
      errorData: isProtoJson ? "details" : "any",
      restMediaType: isProtoJson ? "application/a2a+json" : "application/json",
      tenantPrefix: isProtoJson,
      card: {
        path: isProtoJson ? "/.well-known/agent-card.json" : "/.well-known/agent.json",
        type: "AgentCard",
      },
      helpers: helpersOf(scope),
    };
  }
  return {
    name: service.name,
    ...pkg,
    headers: { version: service.headers.version, extensions: service.headers.extensions },
    errorData: service.errorData,
    restMediaType: service.restMediaType,
    tenantPrefix: service.tenantPrefix,
    card: { path: service.card.path, type: service.card.type },
    helpers: scope.loaded.lenient ? helpersOf(scope) : service.helpers,
  };
}

/** Which helpers fit the shape of a part. */
function helpersOf(scope: Scope): ServiceFacts["helpers"] {
  const part = scope.decl("Part");
  if (part?.kind === "object" && part.fields.some((field) => field.name === "raw")) return "proto";
  const isTagged =
    part?.kind === "alias" && part.type.kind === "union" && part.type.discrimination.by === "tag";
  return isTagged && part.type.discrimination.tag === "kind" ? "kind" : "none";
}
