import type { AgentInterface } from "../versions/pivot.js";
import type { CardMeans, CardRule, Report } from "./lint-types.js";

/** Bindings of the specification that are spoken over HTTP. */
const WEB: readonly string[] = ["JSONRPC", "HTTP+JSON"];
const KNOWN: readonly string[] = [...WEB, "GRPC"];

/** Where the agent says that it is, and how it is spoken to there. */
export const lintInterfaces: CardRule = (card, means, report) => {
  card.supportedInterfaces.forEach((one, i) => {
    const at = ["supportedInterfaces", i] as const;
    const { protocolBinding, protocolVersion } = one;
    if (!KNOWN.includes(protocolBinding) && !URL.canParse(protocolBinding)) {
      const message = `${protocolBinding} is no binding of the specification (${KNOWN.join(", ")}) and no URI`;
      report("warning", [...at, "protocolBinding"], message, "A2A-4.4.6-c");
    }
    if (!/^\d+\.\d+$/.test(protocolVersion)) {
      report("error", [...at, "protocolVersion"], `${protocolVersion} is not Major.Minor`, "A2A-4.4.6-e");
    }
    if (protocolBinding === "GRPC" && !/^(\[[\da-f:.]+\]|[^\s/:@]+):\d+$/i.test(one.url)) {
      report(
        "warning",
        [...at, "url"],
        `${one.url} is not host:port, as clients of gRPC expect`,
        "A2A-4.4.6-b",
      );
    }
    if (!WEB.includes(protocolBinding)) return;
    const url = URL.canParse(one.url) ? new URL(one.url) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      report("error", [...at, "url"], `${one.url} is not an absolute http or https URL`, "A2A-4.4.6-b");
      return;
    }
    if (url.protocol === "http:" && !isLoopback(url.hostname)) {
      report("warning", [...at, "url"], `${one.url} is not https`, "A2A-4.4.6-b");
    }
    lintOwn(one, url, i, means, report);
  });
  lintMissing(card.supportedInterfaces, means, report);
};

/** An interface at the agent's own origin is one that the agent answers. */
function lintOwn(one: AgentInterface, url: URL, i: number, means: CardMeans, report: Report): void {
  if (means.url === undefined || !isOwn(url, means.url)) return;
  const at = ["supportedInterfaces", i] as const;
  const base = withoutSlash(new URL(means.url).pathname);
  if (withoutSlash(url.pathname) !== base) {
    report(
      "error",
      [...at, "url"],
      `${one.url} is not where this agent answers, which is ${means.url}`,
      "A2A-8.3.1-c",
    );
  } else if (means.bindings?.includes(one.protocolBinding) === false) {
    report("error", [...at, "protocolBinding"], `${one.protocolBinding} is not answered here`, "A2A-8.3.1-c");
  } else if (means.versions?.includes(one.protocolVersion) === false) {
    const message = `${one.protocolVersion} is not served; served are ${means.versions.join(", ")}`;
    report("error", [...at, "protocolVersion"], message, "A2A-4.4.6-e");
  }
}

/** Every binding that is answered should be found in the card. */
function lintMissing(interfaces: readonly AgentInterface[], means: CardMeans, report: Report): void {
  const { url, bindings = [] } = means;
  if (url === undefined) return;
  const own = interfaces.filter((one) => URL.canParse(one.url) && isOwn(new URL(one.url), url));
  if (own.length === 0) return;
  for (const binding of bindings) {
    if (own.some((one) => one.protocolBinding === binding)) continue;
    report("error", ["supportedInterfaces"], `does not list ${binding}, which is answered`, "A2A-5.2-a");
  }
}

const isOwn = (url: URL, base: string): boolean => URL.canParse(base) && url.origin === new URL(base).origin;

const isLoopback = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

const withoutSlash = (path: string): string => path.replace(/\/+$/, "");
