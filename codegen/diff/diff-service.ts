import type { ErrorDef, Method } from "../ir/types.js";
import type { Change } from "./changes.js";
import type { Renames } from "./renames.js";
import { typeText } from "./type-text.js";

/** Differences of operations: matched by declared rename, by name, by JSON-RPC name. */
export function diffMethods(
  from: readonly Method[],
  to: readonly Method[],
  renames: Renames,
  rename: (name: string) => string,
): Change[] {
  const find = (method: Method): Method | undefined =>
    to.find(({ name }) => name === (renames.methods[method.name] ?? method.name)) ??
    to.find(({ jsonrpc }) => jsonrpc === method.jsonrpc);
  const pairs = from.map((method) => [method, find(method)] as const);
  const kept = new Set(pairs.map(([, now]) => now));
  return [
    ...to
      .filter((method) => !kept.has(method))
      .map((method): Change => ({
        change: "added",
        what: "method",
        name: method.name,
        ...wire("now", method),
      })),
    ...pairs.flatMap(([was, now]) =>
      now === undefined
        ? [{ change: "removed", what: "method", name: was.name, ...wire("was", was) } as const]
        : diffMethod(was, now, rename),
    ),
  ];
}

function wire<K extends "was" | "now">(key: K, method: Method): { [P in K]?: string } {
  return (method.jsonrpc === undefined ? {} : { [key]: method.jsonrpc }) as { [P in K]?: string };
}

function diffMethod(from: Method, to: Method, rename: (name: string) => string): Change[] {
  const label = (method: Method): string =>
    method.jsonrpc === undefined ? method.name : `${method.name} (${method.jsonrpc})`;
  const isSameName = from.name === to.name && from.jsonrpc === to.jsonrpc;
  const [was, now] = [signature(from, rename), signature(to)];
  return [
    ...(isSameName
      ? []
      : [{ change: "renamed", what: "method", name: to.name, was: label(from), now: label(to) } as const]),
    ...(was === now ? [] : [{ change: "retyped", what: "method", name: to.name, was, now } as const]),
  ];
}

function signature(method: Method, rename?: (name: string) => string): string {
  const stream = method.kind === "serverStream" ? "stream " : "";
  return `(${typeText(method.input, rename)}) → ${stream}${typeText(method.output, rename)}`;
}

/** Differences of errors: one code is one error, whatever it is called. */
export function diffErrors(from: readonly ErrorDef[], to: readonly ErrorDef[]): Change[] {
  return [
    ...to
      .filter(({ code }) => !from.some((other) => other.code === code))
      .map((error): Change => ({
        change: "added",
        what: "error",
        name: error.reason,
        now: String(error.code),
      })),
    ...from.flatMap((error): Change[] => {
      const now = to.find(({ code }) => code === error.code);
      if (now === undefined)
        return [{ change: "removed", what: "error", name: error.reason, was: String(error.code) }];
      return now.reason === error.reason
        ? []
        : [{ change: "renamed", what: "error", name: now.reason, was: error.reason, now: now.reason }];
    }),
  ];
}
