import { toSegment } from "../codec/name-segment.js";
import type { MethodDescriptor, RestRoute, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";

/** A route that fits a request. */
export interface RestMatch {
  readonly methodName: string;
  readonly method: MethodDescriptor;
  readonly route: RestRoute;
  /** Path variables, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** From the `/{tenant}` form. */
  readonly tenant?: string;
}

/** The routes of one version. */
export interface RestRoutes {
  /** The route of a path below the base, without the query; un-prefixed ones are preferred (A2A-HT-c). */
  match(verb: string, path: string): RestMatch | undefined;
  /** The verbs that the path would take, for `Allow`; empty where the path is unknown. */
  verbsOf(path: string): readonly string[];
}

/** A fixed segment, or one that belongs to a variable, up to the literal `suffix` (`:cancel`). */
interface Segment {
  readonly fixed: boolean;
  /** All of a fixed segment, or the suffix. */
  readonly text: string;
}

/** A variable: which segments are its value; more than one make a resource name (`tasks/7`). */
interface Variable {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface Compiled {
  readonly methodName: string;
  readonly method: MethodDescriptor;
  readonly route: RestRoute;
  readonly segments: readonly Segment[];
  readonly variables: readonly Variable[];
}

/** The path variables of a route without any. */
export const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Compiles the routes of a service. A variable takes exactly one segment (A2A-11.3-c), or those of its pattern. */
export function compileRoutes(service: ServiceDescriptor): RestRoutes {
  const byLength = new Map<number, Compiled[]>();
  for (const [methodName, method] of Object.entries(service.methods)) {
    for (const route of method.rest ?? []) {
      const { segments, variables } = compilePath(route.path);
      const list = byLength.get(segments.length) ?? [];
      list.push({ methodName, method, route, segments, variables });
      byLength.set(segments.length, list);
    }
  }
  for (const list of byLength.values()) list.sort((a, b) => weight(b) - weight(a));
  const fixed = fixedRoutes([...byLength.values()].flat());
  const prefixed = service.tenantPrefix === true;

  /** Calls `take` with the routes whose path fits, un-prefixed ones first, until it gives something. */
  const visit = <R>(
    path: string,
    take: (one: Compiled, parts: readonly string[], tenant?: string) => R | undefined,
  ): R | undefined => {
    const parts = path.slice(1).split("/");
    for (const one of byLength.get(parts.length) ?? []) {
      const result = fits(one.segments, parts) ? take(one, parts) : undefined;
      if (result !== undefined) return result;
    }
    const [tenant, ...rest] = parts;
    if (!prefixed || tenant === undefined || tenant === "") return undefined;
    for (const one of byLength.get(rest.length) ?? []) {
      const result = fits(one.segments, rest) ? take(one, rest, tenant) : undefined;
      if (result !== undefined) return result;
    }
    return undefined;
  };

  return {
    match: (verb, path) =>
      // No route that fits is preferred to one without variables.
      fixed.get(`${verb} ${path}`) ??
      visit(path, (one, parts, tenant): RestMatch | undefined => {
        const { methodName, method, route } = one;
        if (route.verb !== verb) return undefined;
        const params = paramsOf(one, parts);
        return tenant === undefined
          ? { methodName, method, route, params }
          : { methodName, method, route, params, tenant: decodeSegment(tenant) };
      }),
    verbsOf(path) {
      const verbs = new Set<string>();
      visit(path, ({ route }) => void verbs.add(route.verb));
      return [...verbs].sort();
    },
  };
}

/** `/v1/{name=tasks/*}:cancel` → `v1`, `tasks`, and a segment up to `:cancel`, of which `name` has the last two. */
const compilePath = (path: string): Pick<Compiled, "segments" | "variables"> => {
  const segments: Segment[] = [];
  const variables: Variable[] = [];
  for (const [part] of path.matchAll(/\{[^}]*\}[^/]*|[^/{}]+/g)) {
    const [, name, pattern = "*", suffix = ""] = /^\{(\w+)(?:=([^}]*))?\}(.*)$/.exec(part) ?? [];
    if (name === undefined) {
      segments.push({ fixed: true, text: part });
      continue;
    }
    const inner = pattern.split("/");
    variables.push({ name, from: segments.length, to: segments.length + inner.length });
    inner.forEach((one, i) => {
      const fixed = one !== "*";
      segments.push({ fixed, text: fixed ? one : i === inner.length - 1 ? suffix : "" });
    });
  }
  return { segments, variables };
};

/** Literals before variables with a suffix before plain variables, so that `/tasks/{id}:cancel` wins over `/tasks/{id}`. */
const weight = ({ segments }: Compiled): number =>
  segments.reduce((sum, { fixed, text }) => sum + (fixed ? 1000 : text.length), 0);

/** The matches of routes without variables, by verb and path. */
const fixedRoutes = (routes: readonly Compiled[]): ReadonlyMap<string, RestMatch> =>
  new Map(
    routes
      .filter(({ variables }) => variables.length === 0)
      .map(({ methodName, method, route }) => [
        `${route.verb} ${route.path}`,
        { methodName, method, route, params: NO_PARAMS },
      ]),
  );

const fits = (segments: readonly Segment[], parts: readonly string[]): boolean => {
  for (let i = 0; i < segments.length; i++) {
    const part = parts[i] ?? "";
    const { fixed, text } = segments[i] ?? NONE;
    if (fixed ? part !== text : part.length <= text.length || !part.endsWith(text)) return false;
  }
  return true;
};

const NONE: Segment = { fixed: true, text: "" };

const paramsOf = (
  { segments, variables }: Compiled,
  parts: readonly string[],
): Readonly<Record<string, string>> => {
  if (variables.length === 0) return NO_PARAMS;
  const params: Record<string, string> = {};
  for (const { name, from, to } of variables) {
    // Within a resource name a slash separates; one that belongs to an id stays encoded.
    let value = valueAt(segments, parts, from);
    if (to > from + 1) {
      value = toSegment(value);
      for (let i = from + 1; i < to; i++) value += `/${toSegment(valueAt(segments, parts, i))}`;
    }
    params[name] = value;
  }
  return params;
};

/** What a variable has of a segment: all but the suffix. */
const valueAt = (segments: readonly Segment[], parts: readonly string[], i: number): string => {
  const part = parts[i] ?? "";
  const { fixed, text } = segments[i] ?? NONE;
  return decodeSegment(fixed || text === "" ? part : part.slice(0, part.length - text.length));
};

const decodeSegment = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new A2AError("INVALID_REQUEST", "The path holds a malformed percent-encoding", { code: -32600 });
  }
};
