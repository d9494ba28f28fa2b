import type { SecurityScheme } from "../versions/pivot.js";

const LOCATIONS: readonly string[] = ["header", "query", "cookie"];

/**
 * What is wrong with a scheme beyond its shape, as `member: what`: a place that no key can have (A2A-4.5.2-a), a URL that is
 * none or not over TLS (A2A-4.5.4-a, A2A-4.5.d-a). Loopback needs no TLS.
 */
export function schemeProblem(scheme: SecurityScheme): string | undefined {
  const {
    apiKeySecurityScheme: key,
    oauth2SecurityScheme: oauth2,
    openIdConnectSecurityScheme: oidc,
  } = scheme;
  if (key && !LOCATIONS.includes(key.location)) {
    return `apiKeySecurityScheme.location: must be one of ${LOCATIONS.join(", ")}; this is ${key.location}`;
  }
  if (oidc) return urlProblem("openIdConnectSecurityScheme.openIdConnectUrl", oidc.openIdConnectUrl);
  if (!oauth2) return undefined;
  const urls: [string, unknown][] = [["oauth2MetadataUrl", oauth2.oauth2MetadataUrl]];
  for (const [name, flow] of Object.entries(oauth2.flows)) {
    for (const [member, value] of Object.entries(flow as object)) {
      if (member.endsWith("Url")) urls.push([`flows.${name}.${member}`, value]);
    }
  }
  for (const [member, value] of urls) {
    const problem = urlProblem(`oauth2SecurityScheme.${member}`, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The flow of a scheme that OAuth 2.1 gave up: use the authorization code with PKCE, or the device code (A2A-4.5.d-b). */
export function deprecatedFlow({ oauth2SecurityScheme: oauth2 }: SecurityScheme): string | undefined {
  return ["implicit", "password"].find((name) => oauth2 !== undefined && Object.hasOwn(oauth2.flows, name));
}

/** An absent one is no problem of its URL. */
function urlProblem(member: string, value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return `${member}: must be an absolute URL`;
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && loopback)) return undefined;
  return `${member}: must be an https: URL, since credentials go there`;
}
