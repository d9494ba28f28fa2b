import type { NameConversion, Side } from "../../src/descriptor.js";
import { InputFault } from "../load/fault.js";
import type { MemberDeclaration } from "./declaration.js";
import { isLean, onlyOne, type Derivation, type Pair } from "./derive.js";
import type { MemberDraft, ObjectDraft } from "./draft.js";
import { leavesOf, variablesOf, type Leaf } from "./leaves.js";

const SIDES = ["older", "newer"] as const;
const other = (side: Side): Side => (side === "older" ? "newer" : "older");

/** What becomes of each member of two objects. A member that is nowhere mentioned and has no namesake is a fault. */
export function deriveObject(pair: Pair, derivation: Derivation): ObjectDraft {
  const { declared, where } = pair;
  const leaves = leavesOf(pair, derivation, declared, where);
  const used = { older: new Set<string>(), newer: new Set<string>() };
  const members: MemberDraft[] = [];
  const names: NameConversion[] = [];
  const take = (side: Side, path: string, place: string): Leaf => {
    const leaf = leaves[side].byPath.get(path);
    if (leaf === undefined) throw new InputFault(`the ${side} type has no ${path}`, `${where}/${place}`);
    if (used[side].has(path)) throw new InputFault(`${path} is spoken for twice`, `${where}/${place}`);
    used[side].add(path);
    return leaf;
  };

  for (const side of SIDES) {
    for (const [path, value] of Object.entries(declared.constants[side] ?? {})) {
      take(side, path, `constants/${side}/${path}`);
      members.push({ [side]: path, value });
    }
    for (const [path, pattern] of Object.entries(declared.names[side] ?? {})) {
      const place = `names/${side}/${path}`;
      take(side, path, place);
      for (const variable of variablesOf(pattern)) take(other(side), variable, place);
      names.push({ side, member: path, pattern });
    }
    for (const path of new Set(declared.hooks.flatMap((hook) => hook[side] ?? []))) {
      take(side, path, `hooks/${path}`);
      const about = declared.members[path];
      const since = typeof about === "object" ? about.since : undefined;
      members.push({ [side]: path, hooked: true, ...(since?.[side] === undefined ? {} : { since }) });
    }
    for (const path of declared.drop[side] ?? []) {
      const { field, required } = take(side, path, `drop/${side}/${path}`);
      if (required)
        throw new InputFault(
          `${path} is required by the ${side} type and would have no source`,
          `${where}/drop/${side}/${path}`,
          "give it a constant, a fill beside a partner, or a hook",
        );
      members.push({ [side]: path, ...(isLean(field) ? { lean: side } : {}) });
    }
  }

  for (const [path, newer] of leaves.newer.byPath) {
    if (used.newer.has(path)) continue;
    const said = declared.members[path];
    const about: MemberDeclaration = typeof said === "string" ? { older: said } : (said ?? {});
    const from = about.older ?? path;
    const older = used.older.has(from) && said === undefined ? undefined : leaves.older.byPath.get(from);
    used.newer.add(path);
    if (older === undefined) {
      if (newer.field.type.kind !== "literal") throw unmapped("newer", path, pair);
      members.push({ newer: path, value: newer.field.type.value });
      continue;
    }
    take("older", from, `members/${path}`);
    members.push(memberOf(older, newer, about, pair, derivation));
  }
  for (const [path, { field }] of leaves.older.byPath) {
    if (used.older.has(path)) continue;
    if (field.type.kind !== "literal") throw unmapped("older", path, pair);
    members.push({ older: path, value: field.type.value });
  }

  const always = SIDES.flatMap((side) =>
    leaves[side].always.length > 0 ? [[side, leaves[side].always] as const] : [],
  );
  return {
    is: "object",
    members,
    ...(names.length > 0 ? { names } : {}),
    ...(always.length > 0 ? { always: Object.fromEntries(always) } : {}),
  };
}

const unmapped = (side: Side, path: string, { where }: Pair): InputFault =>
  new InputFault(
    `${path} of the ${side} type is neither mapped nor dropped`,
    where,
    "name it under members, drop, constants, names or hooks",
  );

function memberOf(
  older: Leaf,
  newer: Leaf,
  about: MemberDeclaration,
  { where }: Pair,
  derivation: Derivation,
): MemberDraft {
  const place = `${where}/members/${newer.path}`;
  const sides = { older, newer };
  for (const side of SIDES) {
    const isSure = sides[other(side)].required || about.fill?.[side] !== undefined || about.missing === side;
    if (sides[side].required && !isSure)
      throw new InputFault(
        `${sides[side].path} is required by the ${side} type and optional in the other`,
        place,
        `say what is written where it is absent: "fill": { "${side}": { "value": … } }`,
      );
  }
  const types = [older.field.type, newer.field.type] as const;
  const as =
    about.as === undefined
      ? derivation.pair(...types, place)
      : derivation.named(about.as, ...types, `${place}/as`);
  const lean = SIDES.filter((side) => leanOn(side, sides));
  const filled = onlyOne(older.field.blank === "refused", newer.field.blank === "refused");
  const required = SIDES.filter((side) => sides[side].required && about.missing !== side);
  return {
    older: older.path,
    newer: newer.path,
    ...(as.is === "same" ? {} : { as }),
    ...bothOr("lean", lean),
    ...(about.fill === undefined ? {} : { fill: about.fill }),
    ...(about.unset === undefined ? {} : { unset: about.unset }),
    ...(about.since === undefined ? {} : { since: about.since }),
    ...(about.readOnly === undefined ? {} : { readOnly: about.readOnly }),
    ...(filled === undefined ? {} : { filled }),
    ...(as.is === "same" ? {} : bothOr("required", required)),
  };
}

/** Whether a side has no default values of a member: the other one takes them for absence, and this one need not have it. */
function leanOn(side: Side, sides: Readonly<Record<Side, Leaf>>): boolean {
  const here = sides[side];
  const there = sides[other(side)];
  if (here.required) return false;
  if (here.field.blank === "absent" && there.field.blank !== "absent") return true;
  return isLean(there.field) && !isLean(here.field);
}

const bothOr = <K extends string>(key: K, sides: readonly Side[]): { [name in K]?: Side | "both" } => {
  const [first] = sides;
  if (first === undefined) return {};
  return { [key]: sides.length > 1 ? "both" : first } as { [name in K]?: Side | "both" };
};
