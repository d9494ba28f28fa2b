/** As the SDKs clean a card: empty texts, lists and objects go, from the inside out; undefined where nothing is left. */
export function withoutEmpty(value: unknown): unknown {
  if (value === "" || value === null || value === undefined) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  const members = Object.entries(value).flatMap(([name, of]) => {
    const cleaned = withoutEmpty(of);
    return cleaned === undefined ? [] : [[name, cleaned] as const];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
