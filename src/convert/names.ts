import type { NameConversion, ObjectConversion } from "../descriptor.js";
import { quote } from "../codec/reader.js";
import { type Ctx, type Direction, refuse } from "./context.js";
import { sourceOf, variablesOf } from "./moves.js";
import { readPath, writePath } from "./paths.js";

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
  const shape = new RegExp(
    `^${pattern.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]*\}/g, "([^/]*)")}$`,
  );
  return (value, out, ctx) => {
    const name = readPath(value, member);
    if (name === undefined) return;
    const found = typeof name === "string" ? shape.exec(name) : null;
    if (found === null) {
      ctx.path.push(...member.split("."));
      refuse(ctx, `expected ${pattern}, found ${quote(name)}`);
    }
    for (const [index, variable] of variables.entries()) {
      const part = found[index + 1] ?? "";
      if (part !== "") writePath(out, variable, part);
    }
  };
}

function putTogether({ member, pattern }: NameConversion): Fix {
  return (value, out, ctx) => {
    const parts = variablesOf(pattern).map((variable) => {
      const part = readPath(value, variable) ?? "";
      if (typeof part === "string" && !part.includes("/")) return part;
      ctx.path.push(...variable.split("."));
      return refuse(ctx, "must not have a slash: it is part of a resource name in the other version");
    });
    if (parts.every((part) => part === "")) return;
    let next = 0;
    writePath(
      out,
      member,
      pattern.replaceAll(/\{[^}]*\}/g, () => parts[next++] ?? ""),
    );
  };
}
