import type { JsonObject, WrapConversion } from "../descriptor.js";
import { compile, fresh } from "./compile.js";
import { ABSENT, type Direction, report, type Run } from "./context.js";
import { isDefault } from "./is-default.js";

/** A bare value on one side, a member of an object on the other. */
export function compileWrap({ side, member, of, empty, rest }: WrapConversion, direction: Direction): Run {
  const run: Run = compile(of, direction) ?? ((value) => value);
  if (side !== (direction === "up" ? "older" : "newer")) {
    return (value, ctx) => {
      const inner = run(value, ctx);
      return inner === ABSENT ? ABSENT : { [member]: inner };
    };
  }
  const lean = new Set(
    rest?.flatMap(({ older, newer, lean: on }) => (on === undefined ? [] : [older ?? newer])),
  );
  return (value, ctx) => {
    const object = value as JsonObject;
    if (ctx.losses !== undefined) {
      for (const key in object) {
        if (key !== member && !(lean.has(key) && isDefault(object[key]))) report(ctx, "dropped", key);
      }
    }
    if (!Object.hasOwn(object, member)) return fresh(empty);
    ctx.path.push(member);
    const inner = run(object[member], ctx);
    ctx.path.pop();
    return inner;
  };
}
