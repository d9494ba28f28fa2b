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

/** `name` stands for one segment, up to the literal `suffix` (`:cancel`). */
type Segment = { readonly literal: string } | { readonly name: string; readonly suffix: string };

interface Compiled {
  readonly methodName: string;
  readonly method: MethodDescriptor;
  readonly route: RestRoute;
  readonly segments: readonly Segment[];
}

/** Compiles the routes of a service. A variable takes exactly one segment (A2A-11.3-c). */
export function compileRoutes(service: ServiceDescriptor): RestRoutes {
  const byLength = new Map<number, Compiled[]>();
  for (const [methodName, method] of Object.entries(service.methods)) {
    for (const route of method.rest ?? []) {
      const segments = route.path.slice(1).split("/").map(compileSegment);
      const list = byLength.get(segments.length) ?? [];
      list.push({ methodName, method, route, segments });
      byLength.set(segments.length, list);
    }
  }
  for (const list of byLength.values()) list.sort((a, b) => weight(b) - weight(a));
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
      visit(path, ({ methodName, method, route, segments }, parts, tenant): RestMatch | undefined =>
        route.verb === verb
          ? {
              methodName,
              method,
              route,
              params: variables(segments, parts),
              ...(tenant !== undefined && { tenant: decodeSegment(tenant) }),
            }
          : undefined,
      ),
    verbsOf(path) {
      const verbs = new Set<string>();
      visit(path, ({ route }) => void verbs.add(route.verb));
      return [...verbs].sort();
    },
  };
}

const compileSegment = (segment: string): Segment => {
  const match = /^\{(\w+)\}(.*)$/.exec(segment);
  return match ? { name: match[1] ?? "", suffix: match[2] ?? "" } : { literal: segment };
};

/** Literals before variables with a suffix before plain variables, so that `/tasks/{id}:cancel` wins over `/tasks/{id}`. */
const weight = ({ segments }: Compiled): number =>
  segments.reduce((sum, segment) => sum + ("literal" in segment ? 1000 : segment.suffix.length), 0);

const fits = (segments: readonly Segment[], parts: readonly string[]): boolean =>
  segments.every((segment, i) => {
    const part = parts[i] ?? "";
    if ("literal" in segment) return part === segment.literal;
    return part.length > segment.suffix.length && part.endsWith(segment.suffix);
  });

const variables = (segments: readonly Segment[], parts: readonly string[]): Record<string, string> => {
  const params: Record<string, string> = {};
  segments.forEach((segment, i) => {
    const part = parts[i];
    if ("literal" in segment || part === undefined) return;
    params[segment.name] = decodeSegment(part.slice(0, part.length - segment.suffix.length));
  });
  return params;
};

const decodeSegment = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new A2AError("INVALID_REQUEST", "The path holds a malformed percent-encoding", { code: -32600 });
  }
};
