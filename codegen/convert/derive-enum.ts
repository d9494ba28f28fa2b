import type { EnumConversion } from "../../src/descriptor.js";
import { InputFault } from "../load/fault.js";
import type { Pair } from "./derive.js";

/** The pairs of two enums: those that are declared, and names that are alike. */
export function deriveEnum(
  older: readonly string[],
  newer: readonly string[],
  { declared, where }: Pair,
): EnumConversion {
  const { values, refuse, nearest, fallback } = declared;
  const known = { older: new Set(older), newer: new Set(newer) };
  const mustBe = (side: "older" | "newer", name: string, place: string): void => {
    if (!known[side].has(name)) throw new InputFault(`the ${side} enum has no ${name}`, `${where}/${place}`);
  };
  for (const [to, from] of Object.entries(values)) {
    mustBe("newer", to, `values/${to}`);
    mustBe("older", from, `values/${to}`);
  }
  for (const side of ["older", "newer"] as const) {
    const other = side === "older" ? "newer" : "older";
    for (const name of refuse[side] ?? []) mustBe(side, name, `refuse/${side}`);
    if (fallback?.[side] !== undefined) mustBe(side, fallback[side], `fallback/${side}`);
    for (const [name, instead] of Object.entries(nearest[side] ?? {})) {
      mustBe(side, name, `nearest/${side}/${name}`);
      mustBe(other, instead, `nearest/${side}/${name}`);
    }
  }
  const alike = new Map(older.map((name) => [plain(name, older), name]));
  const taken = new Set(Object.values(values));
  const pairs = newer.flatMap((name): (readonly [string, string])[] => {
    const partner = values[name] ?? alike.get(plain(name, newer));
    const isOwn = values[name] !== undefined || (partner !== undefined && !taken.has(partner));
    return isOwn && partner !== undefined && !(refuse.newer ?? []).includes(name) ? [[partner, name]] : [];
  });
  const paired = {
    older: new Set(pairs.map(([name]) => name)),
    newer: new Set(pairs.map(([, name]) => name)),
  };
  for (const side of ["older", "newer"] as const) {
    for (const name of known[side]) {
      if (paired[side].has(name) || refuse[side]?.includes(name) || Object.hasOwn(nearest[side] ?? {}, name))
        continue;
      throw new InputFault(
        `${name} of the ${side} enum has no partner`,
        where,
        "name it under values, nearest or refuse",
      );
    }
  }
  const some = <T extends object>(of: T): boolean => Object.keys(of).length > 0;
  return {
    is: "enum",
    pairs,
    ...(fallback === undefined ? {} : { fallback }),
    ...(some(nearest) ? { nearest } : {}),
  };
}

/** `TASK_STATE_INPUT_REQUIRED` among its like and `input-required` come down to the same text. */
function plain(name: string, among: readonly string[]): string {
  const words = among.map((other) => other.split("_"));
  let common = 0;
  while (
    words.length > 1 &&
    words.every((other) => other.length > common + 1 && other[common] === words[0]?.[common])
  )
    common++;
  return name.split("_").slice(common).join("").replaceAll(/[-\s]/g, "").toLowerCase();
}
