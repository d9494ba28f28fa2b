import type { SecurityRequirement } from "../versions/pivot.js";

/** One way to be let in: all of these schemes, each with all of its scopes. No scheme: anybody. */
export type Alternative = readonly { readonly scheme: string; readonly scopes: readonly string[] }[];

/** Requirements as they are evaluated. An empty list asks for nothing (A2A-4.5.x-d). */
export function alternativesOf(requirements: readonly SecurityRequirement[]): readonly Alternative[] {
  if (requirements.length === 0) return [[]];
  return requirements.map(({ schemes = {} }) =>
    Object.entries(schemes).map(([scheme, { list = [] }]) => ({ scheme, scopes: list })),
  );
}

/** How far what was granted goes: the alternative that is met, else the one that lacks scopes only, else none. */
export type Verdict =
  { readonly met: Alternative } | { readonly met?: undefined; readonly lacking?: Lacking | undefined };

/** Scopes that a known caller does not have. */
export interface Lacking {
  /** The first scheme that lacks some. */
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/**
 * Evaluates an OR of ANDs (A2A-4.5.x-b). An alternative that asks for credentials comes before one that asks for none;
 * among those that lack scopes, the one that lacks the fewest.
 */
export function judge(
  alternatives: readonly Alternative[],
  granted: ReadonlyMap<string, readonly string[]>,
): Verdict {
  let open: Alternative | undefined;
  let least: Lacking | undefined;
  for (const alternative of alternatives) {
    if (alternative.length === 0) {
      open = alternative;
      continue;
    }
    const lacking = lackingOf(alternative, granted);
    if (lacking === undefined) continue;
    if (lacking.scopes.length === 0) return { met: alternative };
    if (least === undefined || lacking.scopes.length < least.scopes.length) least = lacking;
  }
  return open === undefined ? { lacking: least } : { met: open };
}

/** What the caller lacks of an alternative; undefined where a whole scheme is missing. */
function lackingOf(
  alternative: Alternative,
  granted: ReadonlyMap<string, readonly string[]>,
): Lacking | undefined {
  let first: string | undefined;
  const scopes: string[] = [];
  for (const { scheme, scopes: needed } of alternative) {
    const had = granted.get(scheme);
    if (had === undefined) return undefined;
    const missing = needed.filter((scope) => !had.includes(scope));
    if (missing.length > 0) first ??= scheme;
    scopes.push(...missing);
  }
  return { scheme: first ?? "", scopes: [...new Set(scopes)] };
}
