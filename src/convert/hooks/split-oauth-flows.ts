import type { JsonObject } from "../../descriptor.js";
import { isObject } from "../../codec/json.js";
import { type Ctx, pointerOf, report, stepsOf } from "../context.js";
import type { Hook } from "../hook.js";

/**
 * The `splitOAuthFlows` option: a 0.x scheme with several flows becomes several schemes, and each requirement that names it
 * is repeated for each of them: any of them will do, as before. Of the ways in that several such schemes multiply to, some
 * are kept and the others reported as truncated.
 */
export const splitOAuthFlows: Hook = {
  up(value, inner, ctx) {
    const card = value as Card;
    const split = ctx.options.splitOAuthFlows === true ? splitSchemes(card.securitySchemes ?? {}) : undefined;
    if (split === undefined || split.names.size === 0) return inner(value, ctx);
    const { names, schemes } = split;
    const before = ctx.losses?.length ?? 0;
    const out = inner(
      {
        ...card,
        securitySchemes: schemes,
        ...(card.security && { security: repeat(card.security, names, ctx, "security") }),
        skills: card.skills.map((skill, index) =>
          skill.security === undefined
            ? skill
            : { ...skill, security: repeat(skill.security, names, ctx, "skills", index, "security") },
        ),
      },
      ctx,
    );
    const owners = new Map([...names].flatMap(([owner, parts]) => parts.map((part) => [part, owner])));
    const at = ctx.path.length;
    for (const [index, loss] of ctx.losses?.entries() ?? []) {
      if (index < before) continue;
      const steps = stepsOf(loss.path);
      const owner = steps[at] === "securitySchemes" ? owners.get(steps[at + 1] ?? "") : undefined;
      if (owner !== undefined && ctx.losses !== undefined)
        ctx.losses[index] = { ...loss, path: pointerOf(steps.with(at + 1, owner)) };
    }
    return out;
  },
};

type Requirement = Readonly<Record<string, readonly string[]>>;

interface Card {
  readonly securitySchemes?: Readonly<Record<string, JsonObject>>;
  readonly security?: readonly Requirement[];
  readonly skills: readonly { readonly security?: readonly Requirement[] }[];
}

/** The schemes, those with several flows taken apart; `names` has the parts of each of these. */
function splitSchemes(schemes: Readonly<Record<string, JsonObject>>): {
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly schemes: Readonly<Record<string, JsonObject>>;
} {
  const names = new Map<string, readonly string[]>();
  const taken = new Set(Object.keys(schemes));
  const entries = Object.entries(schemes).flatMap(([name, scheme]): [string, JsonObject][] => {
    const { flows } = scheme;
    if (scheme["type"] !== "oauth2" || !isObject(flows) || Object.keys(flows).length < 2)
      return [[name, scheme]];
    const parts = Object.entries(flows).map(([flow, of], index) => {
      const part = index === 0 ? name : freeName(`${name}-${flow}`, taken);
      return [part, { ...scheme, flows: { [flow]: of } }] as [string, JsonObject];
    });
    names.set(
      name,
      parts.map(([part]) => part),
    );
    return parts;
  });
  return { names, schemes: Object.fromEntries(entries) };
}

function freeName(wish: string, taken: Set<string>): string {
  let name = wish;
  while (taken.has(name)) name += "_";
  taken.add(name);
  return name;
}

/** Ways in that one requirement may multiply to: a few schemes of several flows each would make millions. */
const MAX_WAYS = 64;

/** One requirement for each way to choose a part of every scheme that was split. */
const repeat = (
  requirements: readonly Requirement[],
  names: ReadonlyMap<string, readonly string[]>,
  ctx: Ctx,
  ...path: readonly (string | number)[]
): Requirement[] =>
  requirements.flatMap((requirement, index) => {
    let ways: Requirement[] = [{}];
    let isCut = false;
    for (const [name, scopes] of Object.entries(requirement)) {
      const all = ways.flatMap((way) =>
        (names.get(name) ?? [name]).map((part) => ({ ...way, [part]: scopes })),
      );
      isCut ||= all.length > MAX_WAYS;
      ways = all.slice(0, MAX_WAYS);
    }
    if (isCut) report(ctx, "truncated", ...path, index);
    return ways;
  });
