import { InputFault } from "../load/fault.js";
import { byName } from "../load/stable-json.js";
import type { Scope } from "./scope.js";
import type { Method, ServiceFacts } from "./types.js";
import { refsOf } from "./visit.js";

/** Names that get a validator: params, results and events of the methods, the card, bodies of push notifications. */
export function rootsOf(scope: Scope, methods: readonly Method[], service: ServiceFacts): string[] {
  const push = Object.keys(scope.loaded.overlay?.push ?? {});
  const unknown = push.find((name) => scope.decl(name) === undefined);
  if (unknown !== undefined && !scope.loaded.lenient) {
    throw new InputFault("is not a type of the schema", `overlay.json#/push/${unknown}`);
  }
  const names = [
    ...methods.flatMap((method) => [...refsOf(method.input), ...refsOf(method.output)]),
    service.card.type,
    ...push,
  ];
  return [...new Set(names)].filter((name) => scope.decl(name) !== undefined).sort(byName);
}
