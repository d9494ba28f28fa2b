/** The value at a path of members, or undefined. */
export function readPath(object: unknown, path: string | readonly string[]): unknown {
  let value = object;
  for (const step of typeof path === "string" ? path.split(".") : path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Sets the value at a path of members, making the objects on the way. */
export function writePath(
  object: Record<string, unknown>,
  path: string | readonly string[],
  value: unknown,
): void {
  const steps = typeof path === "string" ? path.split(".") : path;
  let inner = object;
  for (const step of steps.slice(0, -1)) {
    const known = inner[step];
    const next = typeof known === "object" && known !== null ? (known as Record<string, unknown>) : {};
    inner[step] = next;
    inner = next;
  }
  inner[steps.at(-1) ?? ""] = value;
}
