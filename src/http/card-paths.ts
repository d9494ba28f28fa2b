import { CARD_PATH, LEGACY_CARD_PATH, LEGACY_EXTENDED_CARD_PATH } from "../card/well-known.js";
import type { CallTarget, LazyTarget } from "../server/router-types.js";

type Source = CallTarget | LazyTarget;

/**
 * Where the card is: the well-known paths of the versions that are served, at the origin and below the base. The path of
 * 0.2 is one of them as soon as any 0.x is served, since clients of 0.2 are then served too.
 */
export function cardPaths(sources: readonly Source[], base: string): ReadonlySet<string> {
  const paths = sources.map((source) => ("load" in source ? CARD_PATH : source.service.card.path));
  if (sources.some(isLegacy)) paths.push(CARD_PATH, LEGACY_CARD_PATH);
  return new Set(paths.flatMap((path) => [path, base + path]));
}

/**
 * Where 0.2 clients look for the extended card: beside the card's URL (`{url}/../agent/…`), as the specification has it,
 * below it and at the origin, as its implementations do.
 */
export function extendedCardPaths(sources: readonly Source[], base: string): ReadonlySet<string> {
  if (!sources.some((source) => "load" in source && source.loadExtendedCard)) return new Set();
  const parent = base.slice(0, Math.max(0, base.lastIndexOf("/")));
  return new Set(["", parent, base].map((folder) => folder + LEGACY_EXTENDED_CARD_PATH));
}

const isLegacy = (source: Source): boolean =>
  ("load" in source ? source.version : source.service.version).startsWith("0.");
