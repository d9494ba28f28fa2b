import type { Hop, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { createChain, type ChainRun, type Step } from "./chain.js";
import type { Direction } from "./context.js";
import { convertError } from "./convert-error.js";
import { originOf } from "./origin.js";
import { type Leg, routeBetween, typeAlong } from "./route.js";
import type { Bridge, MethodBridge, TwoWay } from "./types.js";

/** The services at the ends of a bridge. */
export interface BridgeEnds {
  readonly near: ServiceDescriptor;
  readonly far: ServiceDescriptor;
}

/** The names of the forms at the ends of a bridge, where they are not the versions of the services (`0.3/proto`). */
export interface BridgeForms {
  readonly near?: string;
  readonly far?: string;
}

/** A bridge over hops, which are given in any order. Throws `CONFIG` where they do not lead from one end to the other. */
export function createBridge(
  hops: readonly Hop[],
  { near, far }: BridgeEnds,
  forms: BridgeForms = {},
): Bridge {
  const [from, to] = [forms.near ?? near.version, forms.far ?? far.version];
  const legs = routeBetween(hops, from, to);
  if (legs === undefined)
    throw new A2AError("CONFIG", `There is no conversion between A2A ${from} and ${to}`);
  const methods = methodsAlong(legs, near, far);
  const types = new Map<string, TwoWay>();
  return {
    near,
    far,
    byNearName: new Map(methods.map((method) => [method.nearName, method])),
    byFarName: new Map(methods.map((method) => [method.farName, method])),
    conversion(type) {
      const known = types.get(type);
      if (known !== undefined) return known;
      const found = typeAlong(legs, type);
      if (found === undefined)
        throw new A2AError("CONFIG", `A2A ${from} and ${to} have no type ${type} that converts`);
      const made = twoWay(
        found.map(({ leg, type: { rule } }) => ({ leg, rule })),
        { up: false, down: false },
      );
      types.set(type, made);
      return made;
    },
    errorUp: (error) => convertError(error, far, near),
    errorDown: (error) => convertError(error, near, far),
  };
}

/** The rule of one leg. */
interface LegRule {
  readonly leg: Leg;
  readonly rule: Step["rule"];
}

/** Operations that are known on every leg. */
function methodsAlong(
  legs: readonly Leg[],
  near: ServiceDescriptor,
  far: ServiceDescriptor,
): readonly MethodBridge[] {
  return Object.entries(near.methods).flatMap(([nearName, nearMethod]) => {
    let name = nearName;
    const input: LegRule[] = [];
    const output: LegRule[] = [];
    for (const leg of legs) {
      const [source, target] =
        leg.direction === "up" ? (["older", "newer"] as const) : (["newer", "older"] as const);
      const method = leg.hop.methods.find((candidate) => candidate[source] === name);
      if (method === undefined) return [];
      input.push({ leg, rule: method.input });
      output.push({ leg, rule: method.output });
      name = method[target];
    }
    const farMethod = far.methods[name];
    if (farMethod === undefined) return [];
    return [
      {
        nearName,
        near: nearMethod,
        farName: name,
        far: farMethod,
        // Far callers send requests up; near callers send theirs down, through a client that checked them.
        input: twoWay(input, { up: true, down: true }),
        output: twoWay(output, { up: false, down: false }),
        inputOrigin: (given, pointer) => originOf(upward(input), given, pointer),
      },
    ];
  });
}

/** Both directions over the legs, which lead from near to far. */
function twoWay(rules: readonly LegRule[], request: Readonly<Record<Direction, boolean>>): TwoWay {
  const steps = rules.map(({ leg, rule }): Step => ({ rule, direction: leg.direction, releases: {} }));
  const down = createChain(steps);
  const up = createChain(upward(rules));
  const as =
    (run: ChainRun, isRequest: boolean): TwoWay["up"] =>
    (value, options, losses) =>
      run(value, isRequest, options, losses);
  return { up: as(up, request.up), down: as(down, request.down), steps };
}

/** From far to near: the legs backwards, each the other way. */
const upward = (rules: readonly LegRule[]): readonly Step[] =>
  [...rules].reverse().map(({ leg, rule }) => ({ rule, direction: turned(leg.direction), releases: {} }));

const turned = (direction: Direction): Direction => (direction === "up" ? "down" : "up");
