import type { Json, ObjectConversion, Side } from "../descriptor.js";
import { fresh } from "./compile.js";
import {
  ABSENT,
  type Ctx,
  type Direction,
  isBefore,
  refuse,
  report,
  runOrDrop,
  type Run,
} from "./context.js";
import { isDefault } from "./is-default.js";
import { type Move, type Moves, movesOf, sourceOf, targetOf } from "./moves.js";
import { compileNames } from "./names.js";
import { readPath, writePath } from "./paths.js";

/** Written where nothing else was. */
interface Filling {
  readonly target: readonly string[];
  readonly source: string;
  readonly side: Side;
  readonly value: Json;
  readonly silent: boolean;
  readonly until: string | undefined;
}

type Out = Record<string, unknown>;

/** An object, member by member: a new object that shares what is equal. */
export function compileObject(rule: ObjectConversion, direction: Direction): Run {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  const moves = movesOf(rule, direction);
  const fills = fillsOf(rule, direction);
  const names = compileNames(rule, direction);
  const constants = rule.members.flatMap((member) =>
    member.value !== undefined && member[target] !== undefined && member[source] === undefined
      ? [{ target: member[target].split("."), value: member.value }]
      : [],
  );
  const always = (rule.always?.[target] ?? []).map((path) => path.split("."));
  return (value, ctx) => {
    const out: Out = {};
    for (const { target: path, value: constant } of constants) {
      if (path.length === 1) out[path[0] ?? ""] = fresh(constant);
      else writePath(out, path, fresh(constant));
    }
    for (const path of always) writePath(out, path, {});
    if (!move(value as object, moves, out, ctx)) return ABSENT;
    for (const filling of fills) fill(filling, out, ctx);
    names?.(value as object, out, ctx);
    return out;
  };
}

/** Moves the members of an object into `out`; false where one is lost that the target cannot be without. */
function move(value: object, moves: Moves, out: Out, ctx: Ctx): boolean {
  const { path } = ctx;
  for (const key in value) {
    const item = (value as Out)[key];
    if (item === undefined) continue;
    const how = moves.get(key);
    if (how !== undefined) {
      if (how.ignored || (how.lean && isDefault(item))) continue;
      if (how.plain !== undefined) {
        out[how.plain] = item;
        continue;
      }
    }
    path.push(key);
    const isKept = how === undefined ? drop(ctx) : moveOne(item, how, out, ctx);
    path.pop();
    if (!isKept) return false;
  }
  return true;
}

const drop = (ctx: Ctx): true => {
  report(ctx, "dropped");
  return true;
};

function moveOne(item: unknown, how: Move, out: Out, ctx: Ctx): boolean {
  if (how.inner !== undefined) return move(item as object, how.inner, out, ctx);
  if (how.nothing !== undefined && item === how.nothing) return true;
  if (how.target === undefined || isTooNew(how, ctx)) return drop(ctx);
  let result = item;
  if (how.run !== undefined) {
    result = how.required ? how.run(item, ctx) : runOrDrop(how.run, item, ctx);
    if (result === ABSENT) return !how.required;
  }
  if (how.filled && result === "" && ctx.request) refuse(ctx, "must not be empty");
  if (how.taken !== undefined && result === how.taken) return drop(ctx);
  if (how.target.length === 1) out[how.target[0] ?? ""] = result;
  else writePath(out, how.target, result);
  return true;
}

/** Whether the other side is of a release that does not have the member yet. */
function isTooNew({ since, targetSide }: Move, { releases }: Ctx): boolean {
  const release = releases[targetSide];
  return since !== undefined && release !== undefined && isBefore(release, since);
}

function fill({ target, source, side, value, silent, until }: Filling, out: Out, ctx: Ctx): void {
  if ((target.length === 1 ? out[target[0] ?? ""] : readPath(out, target)) !== undefined) return;
  const release = ctx.releases[side];
  if (until !== undefined && release !== undefined && isBefore(until, release)) return;
  writePath(out, target, fresh(value));
  if (!silent) report(ctx, "synthesized", ...source.split("."));
}

function fillsOf(rule: ObjectConversion, direction: Direction): Filling[] {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  return rule.members.flatMap((member) => {
    const filling = member.fill?.[target];
    const to = member[target];
    if (filling === undefined || to === undefined) return [];
    const { value, silent = false, until } = filling;
    return [{ target: to.split("."), source: member[source] ?? to, side: target, value, silent, until }];
  });
}
