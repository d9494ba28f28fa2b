import type { ItemsConversion } from "../descriptor.js";
import { compile } from "./compile.js";
import { ABSENT, type Direction, refuse, runOrDrop, type Run } from "./context.js";

/** A list or a map, element by element; one that has no place in the other form is left out. */
export function compileItems({ of, filled }: ItemsConversion, direction: Direction): Run {
  const run = compile(of, direction);
  const mustBeFilled = filled === (direction === "up" ? "newer" : "older");
  return (value, ctx) => {
    if (!Array.isArray(value)) return run === undefined ? value : convertMap(run, value as object, ctx);
    const list: readonly unknown[] = value;
    if (mustBeFilled && list.length === 0 && ctx.request) refuse(ctx, "must not be empty");
    return run === undefined ? list : convertList(run, list, ctx);
  };
}

function convertList(run: Run, list: readonly unknown[], ctx: Parameters<Run>[1]): unknown[] {
  const { path } = ctx;
  // A copy has just the room that it needs; what is pushed into an empty list makes room for 17.
  const out = list.slice();
  let kept = 0;
  for (let index = 0; index < list.length; index++) {
    path.push(index);
    const item = runOrDrop(run, list[index], ctx);
    path.pop();
    if (item !== ABSENT) out[kept++] = item;
  }
  if (kept < out.length) out.length = kept;
  return out;
}

function convertMap(run: Run, map: object, ctx: Parameters<Run>[1]): object {
  const { path } = ctx;
  const out: [string, unknown][] = [];
  for (const [key, item] of Object.entries(map)) {
    path.push(key);
    const converted = runOrDrop(run, item, ctx);
    path.pop();
    if (converted !== ABSENT) out.push([key, converted]);
  }
  // Entries, unlike assignments, keep a member named `__proto__` harmless.
  return Object.fromEntries(out);
}
