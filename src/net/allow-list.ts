import { A2AError } from "../errors.js";

/** Targets that a guard lets through although it would refuse them. */
export interface AllowList {
  /** Scheme, host and port together, as `URL.origin` spells them. */
  readonly origins: ReadonlySet<string>;
  /** Names, as `URL.hostname` spells them. */
  readonly hosts: ReadonlySet<string>;
  /** Addresses, and how many of their leading bits count. */
  readonly ranges: readonly (readonly [address: string, bits: number])[];
}

/**
 * Reads the entries of an `allow` option: origins (`http://hooks.internal:8080`), IP addresses, CIDR ranges and host
 * names. Throws `CONFIG` for anything else: a misspelt entry would be ignored in silence.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const origins = new Set<string>();
  const hosts = new Set<string>();
  const ranges: [string, number][] = [];
  for (const entry of entries) {
    const [base = "", bits] = entry.split("/");
    const address = addressOf(base);
    const most = address?.includes(":") === true ? 128 : 32;
    if (/^https?:\/\//i.test(entry)) origins.add(originOf(entry) ?? refuse(entry));
    else if (address === undefined) hosts.add(hostOf(entry) ?? refuse(entry));
    else ranges.push([address, bits === undefined ? most : (prefixOf(entry, most) ?? refuse(entry))]);
  }
  return { origins, hosts, ranges };
}

/** The canonical form of an IP address, where the text is one: the URL parser knows all spellings. */
function addressOf(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (bare.includes(":")) return parse(`http://[${bare}]`)?.hostname.slice(1, -1);
  // Only in full: "10/8" is 0.0.0.10 to the URL parser, and not what was meant.
  return parse(`http://${text}`)?.hostname === text && IPV4.test(text) ? text : undefined;
}

function prefixOf(entry: string, most: number): number | undefined {
  const bits = /^[^/]+\/(\d{1,3})$/.exec(entry)?.[1];
  return bits !== undefined && Number(bits) <= most ? Number(bits) : undefined;
}

function hostOf(entry: string): string | undefined {
  if (/[\s/:?#@*\\]/.test(entry)) return undefined;
  const host = parse(`http://${entry}`)?.hostname ?? "";
  return host === "" || IPV4.test(host) ? undefined : host;
}

function originOf(entry: string): string | undefined {
  const url = parse(entry);
  return url !== undefined && url.href === `${url.origin}/` ? url.origin : undefined;
}

const IPV4 = /^\d+(\.\d+){3}$/;

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

function refuse(entry: string): never {
  throw new A2AError(
    "CONFIG",
    `allow: ${JSON.stringify(entry)} is no host name, IP address, CIDR range or origin (scheme, host and port alone)`,
  );
}
