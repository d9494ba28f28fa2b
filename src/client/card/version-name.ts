/** `Major.Minor` of a protocol version as cards and users write it (`1.0.1`, `v0.3`, `1`); undefined where it is none. */
export function majorMinor(text: string): string | undefined {
  const match = /^\s*v?(\d{1,9})(?:\.(\d{1,9}))?(?:[.+-][0-9A-Za-z.+-]{1,64})?\s*$/i.exec(text);
  return match ? `${String(Number(match[1]))}.${String(Number(match[2] ?? 0))}` : undefined;
}

/** Orders `Major.Minor` versions, older first. */
export function compareVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}
