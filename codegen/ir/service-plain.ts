import { InputFault } from "../load/fault.js";
import type { Schema } from "../load/schema.js";
import { byName } from "../load/stable-json.js";
import { emptyDecl } from "./decls.js";
import { lowerFirst } from "./names.js";
import type { Scope } from "./scope.js";
import { isEmptyInput, methodFact } from "./services.js";
import { plainTypeOf, typeOf } from "./type-of.js";
import type { Method, Type } from "./types.js";

interface Operation {
  /** `SendMessage`: the request definition without its ending. */
  readonly name: string;
  readonly jsonrpc: string;
  readonly request: string;
  readonly params: Schema | undefined;
  /** The definition that has the `result`, if there is one. */
  readonly response: string | undefined;
}

/**
 * Gives the unions and lists that stand inline as params or result of an operation a name: `SendMessageResult`,
 * `GetTaskPushNotificationConfigInput`. Runs before the declarations, so that they refer to it.
 */
export function nameOperationTypes(scope: Scope): void {
  if (scope.isProtoJson) return;
  for (const operation of operations(scope)) {
    const { name, request, response, params } = operation;
    if (params !== undefined) nameInline(scope, `${name}Input`, request, "params", params);
    const result = response === undefined ? undefined : scope.definition(response)?.properties?.["result"];
    if (response !== undefined && result !== undefined)
      nameInline(scope, `${name}Result`, response, "result", result);
  }
}

function nameInline(scope: Scope, name: string, owner: string, property: string, schema: Schema): void {
  if (schema.anyOf === undefined && schema.type !== "array") return;
  const path = `${owner}.${property}`;
  const pointer = `#/definitions/${owner}/properties/${property}`;
  const doc =
    property === "result"
      ? `What ${name.replace(/Result$/, "")} returns.`
      : `Parameters of ${name.replace(/Input$/, "")}.`;
  scope.declare({ kind: "alias", name, pointer, doc, type: plainTypeOf(scope, schema, { path, pointer }) });
  scope.named.set(path, name);
}

/** Operations of a 0.x schema: each definition with a constant `method`, in the order of the union of requests. */
export function plainMethods(scope: Scope): Method[] {
  const all = operations(scope);
  return all.map((operation): Method => {
    const fact = methodFact(scope, operation.name);
    const input = inputOf(scope, operation);
    return {
      name: operation.name,
      key: fact?.key ?? lowerFirst(operation.name),
      kind: streams(scope, operation) ? "serverStream" : "unary",
      jsonrpc: operation.jsonrpc,
      rest: [],
      input,
      output: outputOf(scope, operation, all),
      emptyInput: isEmptyInput(scope, input),
      idempotent: fact?.idempotent ?? false,
      ...(fact?.capability === undefined ? {} : { capability: fact.capability }),
      errors: fact?.errors ?? [],
    };
  });
}

function operations(scope: Scope): Operation[] {
  const { definitions } = scope.loaded.schema;
  const listed = (definitions["A2ARequest"]?.anyOf ?? []).flatMap(({ ref }) =>
    ref === undefined ? [] : [ref],
  );
  const rank = (request: string): number =>
    listed.includes(request) ? listed.indexOf(request) : listed.length;
  return Object.entries(definitions)
    .flatMap(([request, schema]): Operation[] => {
      const method = schema.properties?.["method"]?.const;
      if (typeof method !== "string") return [];
      const name = request.replace(/Request$/, "");
      const response = [`${name}SuccessResponse`, `${name}Response`].find(
        (n) => definitions[n]?.properties?.["result"] !== undefined,
      );
      return [{ name, jsonrpc: method, request, params: schema.properties?.["params"], response }];
    })
    .sort((a, b) => rank(a.request) - rank(b.request) || byName(a.request, b.request));
}

/** The schema says nothing about streams: the overlay does, else the name. */
function streams(scope: Scope, operation: Operation): boolean {
  return methodFact(scope, operation.name)?.stream ?? /stream|subscri/i.test(operation.name);
}

function inputOf(scope: Scope, operation: Operation): Type {
  if (operation.params === undefined) {
    scope.declare(emptyDecl(scope));
    return { kind: "ref", name: "Empty" };
  }
  return typeOf(scope, operation.params, place(operation.request, "params"));
}

/** Resubscription has no response of its own: it goes on with the events of a stream. */
function outputOf(scope: Scope, operation: Operation, all: readonly Operation[]): Type {
  const resultOf = methodFact(scope, operation.name)?.resultOf;
  const owner =
    resultOf !== undefined
      ? all.find(({ name }) => name === resultOf)
      : operation.response !== undefined || !streams(scope, operation)
        ? operation
        : all.find((other) => other.response !== undefined && streams(scope, other));
  const result =
    owner?.response === undefined ? undefined : scope.definition(owner.response)?.properties?.["result"];
  if (owner?.response === undefined || result === undefined) {
    throw new InputFault(
      "has no result",
      `#/definitions/${operation.request}`,
      "say resultOf in overlay.json",
    );
  }
  return typeOf(scope, result, place(owner.response, "result"));
}

function place(owner: string, property: string): { path: string; pointer: string } {
  return { path: `${owner}.${property}`, pointer: `#/definitions/${owner}/properties/${property}` };
}
