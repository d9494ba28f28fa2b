/** Bytes of a base64url text without padding (RFC 7515 2); undefined for any other text, and for none. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
}
