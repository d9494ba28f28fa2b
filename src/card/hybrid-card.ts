import type { CardView } from "./card-source.js";

/**
 * One card for readers of both generations: the newer document with what only the older one says beside it, also inside
 * skills, capabilities and security schemes (version mapping 2.16). It carries no signatures: they cover the document
 * that was signed, and this is another one.
 */
export function hybridCard(newer: object, older: object): CardView {
  const { signatures: _of, ...card } = merged(newer, older) as CardView;
  return card;
}

/** Member by member; where both say something else, the newer one is right. Lists of objects go by position. */
function merged(newer: unknown, older: unknown): unknown {
  if (Array.isArray(newer) && Array.isArray(older)) {
    if (newer.length !== older.length) return newer;
    return newer.map((item, i) => merged(item, older[i]));
  }
  if (!isObject(newer) || !isObject(older)) return newer;
  const both: Record<string, unknown> = { ...newer };
  for (const [name, value] of Object.entries(older)) {
    both[name] = Object.hasOwn(newer, name) ? merged(newer[name], value) : value;
  }
  return both;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
