import type { MethodDescriptor } from "../descriptor.js";
import type { CallTarget, HttpBinding, LazyTarget } from "../server/router-types.js";
import { formTarget } from "./form-target.js";
import { compileRoutes, type RestRoutes } from "./rest-routes.js";

/** What JSON-RPC needs of a version. */
export interface RpcTarget {
  readonly target: CallTarget;
  /** By JSON-RPC name. */
  readonly methods: ReadonlyMap<string, RpcMethod>;
}

/** A method found by its JSON-RPC name. */
export interface RpcMethod {
  readonly target: CallTarget;
  readonly methodName: string;
  readonly method: MethodDescriptor;
}

/** What HTTP+JSON needs of a version. */
export interface RestTarget {
  readonly target: CallTarget;
  readonly routes: RestRoutes;
}

/** A version as an HTTP handler serves it: what each binding needs is there at once, or loaded when first asked for. */
export interface ServedVersion {
  /** `Major.Minor`. */
  readonly version: string;
  rpc(): RpcTarget | Promise<RpcTarget>;
  rest(): RestTarget | Promise<RestTarget>;
  /** Route of the extended card as 0.2 has it. */
  extendedCard?(): RestTarget | Promise<RestTarget>;
}

/** A version over its router, or over what gives its targets later. */
export function createServedVersion(source: CallTarget | LazyTarget): ServedVersion {
  const target = (binding: HttpBinding): CallTarget | Promise<CallTarget> => {
    if ("load" in source) return source.load(binding);
    return (binding === "HTTP+JSON" ? formTarget(source) : undefined) ?? source;
  };
  const loadExtendedCard = "load" in source ? source.loadExtendedCard : undefined;
  return {
    version: "load" in source ? source.version : source.service.version,
    rpc: once(() => then(target("JSONRPC"), rpcTarget)),
    rest: once(() => then(target("HTTP+JSON"), restTarget)),
    ...(loadExtendedCard && { extendedCard: once(() => then(loadExtendedCard(), restTarget)) }),
  };
}

const rpcTarget = (target: CallTarget): RpcTarget => ({
  target,
  methods: new Map(
    Object.entries(target.service.methods).flatMap(([methodName, method]) =>
      method.jsonrpc === undefined ? [] : [[method.jsonrpc, { target, methodName, method }] as const],
    ),
  ),
});

const restTarget = (target: CallTarget): RestTarget => ({ target, routes: compileRoutes(target.service) });

/** Calls `make` when first asked, and again only after it rejected; what came of it is there at once from then on. */
function once<T>(make: () => T | Promise<T>): () => T | Promise<T> {
  let made: T | Promise<T> | undefined;
  return () => {
    if (made !== undefined) return made;
    const result = make();
    made = result;
    if (result instanceof Promise) {
      result.then(
        (value) => (made = value),
        () => (made = undefined),
      );
    }
    return result;
  };
}

const then = <A, B>(value: A | Promise<A>, map: (value: A) => B): B | Promise<B> =>
  value instanceof Promise ? value.then(map) : map(value);
