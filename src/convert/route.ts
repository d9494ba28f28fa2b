import type { Hop, TypeConversion } from "../descriptor.js";
import type { Direction } from "./context.js";

/** One hop of a way, and the direction it is taken in. */
export interface Leg<H extends Pick<Hop, "older" | "newer"> = Hop> {
  readonly hop: H;
  readonly direction: Direction;
}

/** The hops from one form to another, in order; undefined where none lead there. Hops form a line or a tree. */
export function routeBetween<H extends Pick<Hop, "older" | "newer">>(
  hops: readonly H[],
  from: string,
  to: string,
): readonly Leg<H>[] | undefined {
  const seen = new Set([from]);
  let ways: { readonly at: string; readonly legs: readonly Leg<H>[] }[] = [{ at: from, legs: [] }];
  while (ways.length > 0) {
    const there = ways.find(({ at }) => at === to);
    if (there !== undefined) return there.legs;
    ways = ways.flatMap(({ at, legs }) =>
      hops.flatMap((hop) => {
        const direction = hop.older === at ? "up" : hop.newer === at ? "down" : undefined;
        const next = direction === "up" ? hop.newer : hop.older;
        if (direction === undefined || seen.has(next)) return [];
        seen.add(next);
        return [{ at: next, legs: [...legs, { hop, direction } as const] }];
      }),
    );
  }
  return undefined;
}

/** A named type along a way: its conversion on each leg. Undefined where a version does not have it. */
export function typeAlong(
  legs: readonly Leg[],
  start: string,
): readonly { readonly leg: Leg; readonly type: TypeConversion }[] | undefined {
  let name = start;
  const found: { leg: Leg; type: TypeConversion }[] = [];
  for (const [index, leg] of legs.entries()) {
    const type = typeNamed(leg, name, index === 0);
    if (type === undefined) return undefined;
    found.push({ leg, type });
    name = leg.direction === "up" ? type.newer : type.older;
  }
  return found;
}

/** On the first leg by the name of the entry or of a type, then by the type that the leg before leads to. */
function typeNamed({ hop, direction }: Leg, name: string, isFirst: boolean): TypeConversion | undefined {
  const side = direction === "up" ? "older" : "newer";
  const own = Object.hasOwn(hop.types, name) ? hop.types[name] : undefined;
  if (own !== undefined && (isFirst || own[side] === name)) return own;
  const all = Object.values(hop.types);
  const other = side === "older" ? "newer" : "older";
  return (
    all.find((type) => type[side] === name) ??
    (isFirst ? all.find((type) => type[other] === name) : undefined)
  );
}
