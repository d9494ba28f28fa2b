import type { Json, ObjectConversion } from "../descriptor.js";
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
import { type Move, type Moves, movesOf, type NamedMove, sourceOf, targetOf } from "./moves.js";
import { compileNames } from "./names.js";
import { readPath, writePath } from "./paths.js";

type Out = Record<string, unknown>;
/** Writes what was not written, where it must not be missing. */
type Filling = (out: Out, ctx: Ctx) => void;

/** An object, member by member: a new object that shares what is equal. */
export function compileObject(rule: ObjectConversion, direction: Direction): Run {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  const moves = movesOf(rule, direction);
  const fills = fillsOf(rule, direction);
  const names = compileNames(rule, direction);
  const constants = rule.members.flatMap((member) =>
    member.value !== undefined && member[target] !== undefined && member[source] === undefined
      ? [writerOf(member[target].split("."), member.value)]
      : [],
  );
  const always = (rule.always?.[target] ?? []).map((path) => path.split("."));
  return (value, ctx) => {
    const out: Out = {};
    for (let index = 0; index < constants.length; index++) constants[index]?.(out);
    for (let index = 0; index < always.length; index++) writePath(out, always[index] ?? [], {});
    if (!move(value as object, moves, out, ctx)) return ABSENT;
    for (let index = 0; index < fills.length; index++) fills[index]?.(out, ctx);
    names?.(value as object, out, ctx);
    return out;
  };
}

/** Moves the members of an object into `out`; false where one is lost that the target cannot be without. */
function move(value: object, moves: Moves, out: Out, ctx: Ctx): boolean {
  const { byKey, writing } = moves;
  return ctx.losses === undefined && writing !== undefined
    ? moveKnown(value, writing, out, ctx)
    : moveAll(value, byKey, out, ctx);
}

/** The members that the rule knows. Nobody asks what else there is, and looking for it is most of the work. */
function moveKnown(value: object, writing: readonly NamedMove[], out: Out, ctx: Ctx): boolean {
  for (let index = 0; index < writing.length; index++) {
    const known = writing[index];
    if (known === undefined) break;
    const { key, how } = known;
    const item = (value as Out)[key];
    if (item === undefined || (how.lean && isDefault(item))) continue;
    // Here and not behind a call: most members are texts that stay as they are, or need one step.
    if (how.plain !== undefined) out[how.plain] = item;
    else if (how.made !== undefined && how.run !== undefined) {
      ctx.path.push(key);
      const made = how.run(item, ctx);
      ctx.path.pop();
      if (made !== ABSENT) out[how.made] = made;
      else if (how.required) return false;
    } else if (!moveMember(key, item, how, out, ctx)) return false;
  }
  return true;
}

/** Every member, so that those without a place are reported. */
function moveAll(value: object, byKey: Moves["byKey"], out: Out, ctx: Ctx): boolean {
  for (const key in value) {
    const item = (value as Out)[key];
    if (item !== undefined && !moveMember(key, item, byKey.get(key), out, ctx)) return false;
  }
  return true;
}

function moveMember(key: string, item: unknown, how: Move | undefined, out: Out, ctx: Ctx): boolean {
  const { path } = ctx;
  if (how !== undefined) {
    if (how.ignored || (how.lean && isDefault(item))) return true;
    if (how.plain !== undefined) {
      out[how.plain] = item;
      return true;
    }
  }
  path.push(key);
  const isKept = how === undefined ? drop(ctx) : moveOne(item, how, out, ctx);
  path.pop();
  return isKept;
}

const drop = (ctx: Ctx): true => {
  report(ctx, "dropped");
  return true;
};

function moveOne(item: unknown, how: Move, out: Out, ctx: Ctx): boolean {
  if (how.made !== undefined && how.run !== undefined) {
    const made = how.required ? how.run(item, ctx) : runOrDrop(how.run, item, ctx);
    if (made === ABSENT) return !how.required;
    out[how.made] = made;
    return true;
  }
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

/** Writes a value of the rules. */
function writerOf(path: readonly string[], value: Json): (out: Out) => void {
  const [name = ""] = path;
  if (path.length > 1) return (out) => writePath(out, path, fresh(value));
  if (typeof value === "object") return (out) => (out[name] = fresh(value));
  return (out) => (out[name] = value);
}

function fillsOf(rule: ObjectConversion, direction: Direction): Filling[] {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  return rule.members.flatMap((member) => {
    const filling = member.fill?.[target];
    const to = member[target];
    if (filling === undefined || to === undefined) return [];
    const { value, silent = false, until } = filling;
    const path = to.split(".");
    const [name = ""] = path;
    const write = writerOf(path, value);
    const steps = (member[source] ?? to).split(".");
    return [
      (out: Out, ctx: Ctx): void => {
        if ((path.length === 1 ? out[name] : readPath(out, path)) !== undefined) return;
        const release = ctx.releases[target];
        if (until !== undefined && release !== undefined && isBefore(until, release)) return;
        write(out);
        if (!silent) report(ctx, "synthesized", ...steps);
      },
    ];
  });
}
