import type { NameConversion, ObjectConversion } from "../descriptor.js";
import { quote } from "../codec/reader.js";
import { type Ctx, type Direction, refuse } from "./context.js";
import { sourceOf, variablesOf } from "./moves.js";
import { readPath, writePath } from "./paths.js";
import { toSegment } from "../codec/name-segment.js";
import { idsIn } from "./resource-name.js";

type Fix = (value: object, out: Record<string, unknown>, ctx: Ctx) => void;

/** Resource names: taken apart into members, or put together of them. */
export function compileNames({ names }: ObjectConversion, direction: Direction): Fix | undefined {
  if (names === undefined) return undefined;
  const source = sourceOf(direction);
  const fixes = names.map((name) => (name.side === source ? takeApart(name) : putTogether(name)));
  return (value, out, ctx) => {
    for (const fix of fixes) fix(value, out, ctx);
  };
}

function takeApart({ member, pattern }: NameConversion): Fix {
  const variables = variablesOf(pattern);
  return (value, out, ctx) => {
    const name = readPath(value, member);
    if (name === undefined) return;
    const ids = typeof name === "string" ? idsIn(name, pattern) : undefined;
    if (ids === undefined) {
      ctx.path.push(...member.split("."));
      refuse(ctx, `expected ${pattern}, found ${quote(name)}`);
    }
    for (const [index, variable] of variables.entries()) {
      const id = ids[index];
      if (id !== undefined) writePath(out, variable, id);
    }
  };
}

function putTogether({ member, pattern }: NameConversion): Fix {
  return (value, out) => {
    const segments = variablesOf(pattern).map((variable) => toSegment(readPath(value, variable)));
    if (segments.every((segment) => segment === "")) return;
    let next = 0;
    writePath(
      out,
      member,
      pattern.replaceAll(/\{[^}]*\}/g, () => segments[next++] ?? ""),
    );
  };
}
