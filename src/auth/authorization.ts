/**
 * The credentials of an `Authorization` header of one scheme, `""` where it names the scheme alone; undefined where the
 * header is absent or of another scheme. Names of schemes have no case (RFC 9110 11.1).
 */
export function credentialsOf(header: string | undefined, scheme: string): string | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const end = text.indexOf(" ");
  const name = end < 0 ? text : text.slice(0, end);
  if (name.toLowerCase() !== scheme.toLowerCase()) return undefined;
  return end < 0 ? "" : text.slice(end + 1).trim();
}
