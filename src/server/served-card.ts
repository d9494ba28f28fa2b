import { lintCard } from "../card/lint.js";
import type { CardMeans, CardProblem } from "../card/lint-types.js";
import { decode } from "../codec/decode.js";
import { A2AError } from "../errors.js";
import type { AgentCard, AgentInterface } from "../versions/pivot.js";
import { grpcVersions } from "../versions/grpc-services.js";
import { agentCardTable, pivot } from "../versions/pivot.js";

/** What the check of a card needs to know of the server. */
export interface ServedCardMeans extends CardMeans {
  readonly push: boolean;
  readonly extendedCard: boolean;
  /** Versions that are served, newest first. */
  readonly versions: readonly string[];
  /** `host:port` where gRPC is served. */
  readonly grpcUrl?: string | undefined;
}

/** The card as it is served: interfaces filled in, all bindings at the own places, capabilities that have means. */
export function servedCard(card: AgentCard, url: string, means: ServedCardMeans): AgentCard {
  const capabilities = {
    ...card.capabilities,
    ...(means.push && { pushNotifications: card.capabilities.pushNotifications ?? true }),
    ...(means.extendedCard && { extendedAgentCard: card.capabilities.extendedAgentCard ?? true }),
  };
  return {
    ...card,
    supportedInterfaces: withGrpc(card, interfacesOf(card, url, means.versions), means),
    capabilities,
  };
}

/**
 * The card as clients will read it. Throws one `CONFIG` with everything in which it contradicts itself or `means`; what
 * only deserves a look goes to `warn`.
 */
export function checkedCard(
  card: AgentCard,
  means: CardMeans = {},
  warn: (problem: CardProblem) => void = () => undefined,
): AgentCard {
  const problems = lintCard(card, means);
  const errors = problems.filter(({ level }) => level === "error");
  if (errors.length > 0) {
    throw new A2AError("CONFIG", `card: ${errors.map(problemText).join("; ")}`);
  }
  problems.forEach(warn);
  return decode(agentCardTable, JSON.parse(JSON.stringify(card)), { direction: "reply" });
}

/** `supportedInterfaces.0.url: is not https (A2A-4.4.6-b)`. */
export const problemText = ({ pointer, message, rule }: CardProblem): string =>
  `${pointer.slice(1).replaceAll("/", ".") || "the card"}: ${message} (${rule})`;

/**
 * The interfaces that the author gives, in their order, and after them the bindings that are answered at the same place
 * and were left out (A2A-5.2-a). A card that was signed elsewhere stays what was signed.
 */
function interfacesOf(card: AgentCard, url: string, versions: readonly string[]): AgentInterface[] {
  const { supportedInterfaces: given, signatures = [] } = card;
  if (given.length === 0) return interfacesAt(url, versions);
  const all = [...given];
  if (signatures.length > 0) return all;
  for (const one of given) {
    if (!servedBindings.includes(one.protocolBinding) || !isSamePlace(one.url, url)) continue;
    for (const protocolBinding of servedBindings) {
      const isListed = all.some(
        (other) =>
          other.protocolBinding === protocolBinding &&
          other.protocolVersion === one.protocolVersion &&
          other.tenant === one.tenant &&
          isSamePlace(other.url, url),
      );
      if (!isListed) all.push({ ...one, protocolBinding });
    }
  }
  return all;
}

/**
 * The interfaces, and after them gRPC in the versions that the others speak, where it is served and the author names none.
 */
function withGrpc(
  { signatures = [] }: AgentCard,
  interfaces: AgentInterface[],
  { grpcUrl, versions }: ServedCardMeans,
): AgentInterface[] {
  const isGrpc = ({ protocolBinding }: AgentInterface): boolean => protocolBinding === "GRPC";
  if (grpcUrl === undefined || signatures.length > 0 || interfaces.some(isGrpc)) return interfaces;
  const spoken = new Set(interfaces.map(({ protocolVersion }) => protocolVersion));
  return [
    ...interfaces,
    ...versions
      .filter((version) => spoken.has(version) && grpcVersions.includes(version))
      .map((protocolVersion) => ({ url: grpcUrl, protocolBinding: "GRPC", protocolVersion })),
  ];
}

/** Equal but for a trailing slash. */
function isSamePlace(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return false;
  const place = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, "");
  return place(new URL(a)) === place(new URL(b));
}

/**
 * JSON-RPC and HTTP+JSON at one base URL, the first preferred; the pivot's version first, then the newest of the older
 * ones. An even older one need not be named: its clients read the card that is made for them.
 */
function interfacesAt(url: string, versions: readonly string[]): AgentInterface[] {
  const older = versions.find((version) => version !== pivot.version);
  return [
    ...versions.filter((version) => version === pivot.version),
    ...(older === undefined ? [] : [older]),
  ].flatMap((protocolVersion) =>
    servedBindings.map((protocolBinding) => ({ url, protocolBinding, protocolVersion })),
  );
}

/** The bindings that every server answers, at one URL. */
export const servedBindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];
