import type { Hop, Rule, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { hops, lines } from "../versions/conversions.js";
import { pivot } from "../versions/pivot.js";
import { createChain, type ChainRun, type Step } from "./chain.js";
import type { Direction } from "./context.js";
import { hasReleaseFacts, tableOf } from "./release-facts.js";
import { type Leg, routeBetween, typeAlong } from "./route.js";
import { tableAt } from "./table-at.js";
import { type NamedVersion, parseVersion } from "./versions.js";

/** How one type goes from one version to another. */
export interface Plan {
  readonly table: Rule;
  readonly service: ServiceDescriptor;
  readonly run: ChainRun;
}

const plans = new Map<string, Plan>();
/** More than all types between all releases that were ever published; who names others must not fill the memory. */
const MAX_PLANS = 10_000;
const known = Object.keys(lines);

/** The plan for a type and two versions, made once. Throws `CONFIG` for a version or a type that is not known. */
export function planFor(type: string, from: string, to: string): Plan {
  const key = `${type} ${from} ${to}`;
  const made = plans.get(key);
  if (made !== undefined) return made;
  const plan = makePlan(type, parseVersion(from, known), parseVersion(to, known));
  if (plans.size >= MAX_PLANS) plans.clear();
  plans.set(key, plan);
  return plan;
}

/** One leg with the rule of the type on it. */
interface Part {
  readonly leg: Leg;
  readonly type: Hop["types"][string];
}

function makePlan(type: string, from: NamedVersion, to: NamedVersion): Plan {
  // The name is that of the pivot, so both ways start there.
  const there = alongFromPivot(type, to);
  const back = alongFromPivot(type, from);
  const line = lines[from.line];
  if (there === undefined || back === undefined || line === undefined) throw unknownType(type, from, to);
  const source = back.at(-1);
  const expression = source === undefined ? type : ending(source);
  const table = tableAt(line, expression);
  if (table === undefined) throw unknownType(type, from, to);

  let shared = 0;
  while (shared < there.length && back[shared]?.leg.hop === there[shared]?.leg.hop) shared++;
  const parts = [...back.slice(shared).reverse().map(turned), ...there.slice(shared)];
  const way = parts.length > 0 ? parts : betweenReleases(back.at(-1), from, to);
  const steps = way.map(({ leg, type: { rule } }, index): Step => {
    const first = index === 0 ? from : undefined;
    const last = index === way.length - 1 ? to : undefined;
    const releaseOf = (end: NamedVersion | undefined, form: string): string | undefined =>
      end?.line === form ? end.release : lines[form]?.service.release;
    const [source, target] =
      leg.direction === "up" ? (["older", "newer"] as const) : (["newer", "older"] as const);
    return {
      rule,
      direction: leg.direction,
      releases: {
        [source]: releaseOf(first, leg.hop[source]),
        [target]: releaseOf(last, leg.hop[target]),
      },
    };
  });
  const [first] = way;
  const side = first?.leg.direction === "up" ? "older" : "newer";
  return {
    table: first === undefined ? table : tableOf(table, first.type.rule, side, from.release),
    service: line.service,
    run: createChain(steps),
  };
}

function alongFromPivot(type: string, { line }: NamedVersion): readonly Part[] | undefined {
  const legs = routeBetween(hops, pivot.version, line);
  return legs === undefined ? undefined : typeAlong(legs, type);
}

const turn = (direction: Direction): Direction => (direction === "up" ? "down" : "up");

const turned = ({ leg, type }: Part): Part => ({
  leg: { hop: leg.hop, direction: turn(leg.direction) },
  type,
});

/** The type that a leg leads to. */
const ending = ({ leg, type }: Part): string => (leg.direction === "up" ? type.newer : type.older);

/** Two releases of one line differ where a hop says so: up to the neighbour, and back down to the other release. */
function betweenReleases(part: Part | undefined, from: NamedVersion, to: NamedVersion): readonly Part[] {
  if (part === undefined || from.release === to.release || part.leg.direction !== "down") return [];
  return hasReleaseFacts(part.type.rule, "older") ? [turned(part), part] : [];
}

function unknownType(type: string, from: NamedVersion, to: NamedVersion): A2AError {
  const isKnown = known.some((line) => {
    const of = lines[line];
    return of !== undefined && Object.hasOwn(of.tables, type);
  });
  return isKnown
    ? new A2AError(
        "UNSUPPORTED_OPERATION",
        `${type} has no counterpart between A2A ${from.line} and ${to.line}`,
        { code: -32004 },
      )
    : new A2AError("CONFIG", `A2A has no type ${type}: name one of version ${pivot.version}${hint(type)}`);
}

/** Types are written as the schema has them. */
function hint(type: string): string {
  const names = Object.keys(lines[pivot.version]?.tables ?? {});
  const meant = names.find((name) => name.toLowerCase() === type.toLowerCase());
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}
