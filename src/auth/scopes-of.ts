/** Scopes as tokens hold them: `scope`, separated by spaces (RFC 8693 4.2), and `scp`, a text or a list. */
export function scopesOf(claims: Readonly<Record<string, unknown>>): readonly string[] {
  const found = [claims["scope"], claims["scp"]].flatMap((value) =>
    typeof value === "string" ? value.split(" ") : Array.isArray(value) ? (value as readonly unknown[]) : [],
  );
  return [...new Set(found.filter((scope): scope is string => typeof scope === "string" && scope !== ""))];
}
