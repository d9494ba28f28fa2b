import { lookup as systemLookup } from "node:dns/promises";
import type { AllowList } from "./allow-list.js";
import { inRange, isPublicAddress, reachedAddress } from "./public-address.js";

/** An address that a name stands for. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** What a guard goes by. */
export interface GuardRules {
  readonly allow: AllowList;
  /** Ports that may be called; without it 80, 443 and those from 1024 on. */
  readonly ports?: readonly number[] | undefined;
  readonly requireHttps?: boolean | undefined;
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup | undefined;
}

/** A URL that must not be called; the message says why, fit for whoever gave the URL. */
export class ForbiddenTarget extends Error {
  override readonly name = "ForbiddenTarget";
}

/** Decides where requests on behalf of others may go: URLs that strangers give must not reach inside the network. */
export interface TargetGuard {
  /** Why a URL may not be called, as far as its text tells: no name is resolved. */
  problem(url: string): string | undefined;
  /**
   * The addresses to connect to, resolved once: whoever connects elsewhere has checked nothing. Rejects with
   * `ForbiddenTarget` where any of them is out of bounds.
   */
  resolve(url: URL): Promise<readonly ResolvedAddress[]>;
}

/** First port that needs no privileges. */
const FIRST_FREE_PORT = 1024;

/** A guard by rules. The URL parser has normalised decimal, octal, hexadecimal and Unicode spellings before it looks. */
export function createTargetGuard(rules: GuardRules): TargetGuard {
  const { allow, ports, requireHttps = false, lookup = systemAddresses } = rules;
  const allows = (address: string): boolean => {
    const reached = reachedAddress(address);
    return isPublicAddress(reached) || allow.ranges.some((range) => inRange(reached, range));
  };
  const allowsPort = (port: number): boolean =>
    ports?.includes(port) ?? (port === 80 || port === 443 || port >= FIRST_FREE_PORT);

  const problemOf = (url: URL): string | undefined => {
    if (!/^https?:$/.test(url.protocol)) return NOT_HTTP;
    if (url.username !== "" || url.password !== "") {
      return "must not contain credentials; use authentication instead";
    }
    if (allow.origins.has(url.origin)) return undefined;
    if (requireHttps && url.protocol !== "https:") return "must be an https URL";
    const port = portOf(url);
    if (!allowsPort(port)) return `must not use port ${String(port)}`;
    if (allow.hosts.has(url.hostname)) return undefined;
    const address = literalAddress(url);
    if (address === undefined ? isLocalName(url.hostname) : !allows(address)) {
      return `must be a public address; ${url.hostname} is not`;
    }
    return undefined;
  };

  return {
    problem: (url) => (URL.canParse(url) ? problemOf(new URL(url)) : NOT_HTTP),
    async resolve(url) {
      const problem = problemOf(url);
      if (problem !== undefined) throw new ForbiddenTarget(`The URL ${problem}`);
      const literal = literalAddress(url);
      if (literal !== undefined) return [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
      const addresses = await lookup(url.hostname);
      if (allow.origins.has(url.origin) || allow.hosts.has(url.hostname)) return addresses;
      // One that is out of bounds condemns the name: which of them is taken is up to the network.
      if (addresses.every(({ address }) => allows(address))) return addresses;
      throw new ForbiddenTarget(`The URL must lead to a public address; ${url.hostname} does not`);
    },
  };
}

const NOT_HTTP = "must be an absolute http or https URL";

/** The parser leaves out the port that belongs to the scheme. */
const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/** The address that a URL names itself. */
function literalAddress({ hostname }: URL): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+(\.\d+){3}$/.test(hostname) ? hostname : undefined;
}

const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/.test(hostname);

const systemAddresses: Lookup = (hostname) => systemLookup(hostname, { all: true });
