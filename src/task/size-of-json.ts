/** Values looked at, at most: what has more is large enough to be taken for that. */
const MOST = 2_000;
const DEPTH = 20;

/** About how many characters a value takes as JSON; 0 where there is none. */
export function sizeOfJson(value: unknown): number {
  return value === undefined ? 0 : sizeOf(value, { left: MOST }, DEPTH);
}

function sizeOf(value: unknown, looks: { left: number }, depth: number): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 6;
  let size = 2;
  if (depth === 0) return size;
  for (const [key, member] of Object.entries(value)) {
    if (looks.left <= 0) break;
    looks.left -= 1;
    size += key.length + 3 + sizeOf(member, looks, depth - 1);
  }
  return size;
}
