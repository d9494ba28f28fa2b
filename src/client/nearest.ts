/** The name that was most likely meant: one that differs by a third of its letters at most, or only in case. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= best.name.length / 3 ? best.name : undefined;
}

/** Letters to put in, take out or change (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
