/** The same JSON value with the keys of every object in another order (a fixed one per seed). */
export function shuffleKeys(value: unknown, seed = 1): unknown {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node);
    for (let i = entries.length - 1; i > 0; i -= 1) {
      const j = random(i + 1);
      const [a, b] = [entries[i], entries[j]];
      if (a !== undefined && b !== undefined) [entries[i], entries[j]] = [b, a];
    }
    return Object.fromEntries(entries.map(([key, member]) => [key, walk(member)]));
  };
  return walk(value);
}
