/** Takes the password of a URL out of texts that drivers and servers write. */
export function scrubber(url: string): (text: string) => string {
  const secrets = [/^[a-z]+:\/\/[^/?#]*?:([^/?#]*)@/i, /[?&](?:password|sslpassword)=([^&#]*)/i]
    .map((pattern) => pattern.exec(url)?.[1] ?? "")
    .flatMap((secret) => [secret, decoded(secret)])
    .filter((secret) => secret !== "");
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text.replaceAll(url, "…"));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
