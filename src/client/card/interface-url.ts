import { quote } from "../../codec/reader.js";
import { publicUrl } from "../public-url.js";
import type { Findings } from "./findings.js";
import { hostReach } from "./host-reach.js";

/** A URL of a card, made absolute; or why nobody can call it. */
export interface InterfaceUrl {
  readonly url: string;
  readonly problem?: string;
}

/** Where a card was found, and what its relative URLs are resolved against where that is something else. */
export interface CardAddress {
  readonly at?: URL | undefined;
  readonly base?: URL | undefined;
}

/** Placeholders that nobody filled in: `{BASE_URL}`, `<AGENT_ID>`, `[PROJECT_ID]`, `${HOST}`, also percent-encoded. */
const placeholder = /[{<][^}>]*[}>]?|%(?:7B|3C)[^%]*(?:%(?:7D|3E))?|\[[A-Za-z_][\w -]*\]/i;
/** The end of the path of an operation. */
const operation = /\/(?:message[:/](?:send|stream)|tasks\/(?:get|send|sendSubscribe|cancel|resubscribe))\/?$/;

/**
 * Checks the URL of an interface and resolves it against the address of the card. Bindings that are not HTTP have
 * addresses of their own (`host:port`), which are taken as they are.
 */
export function readInterfaceUrl(
  raw: unknown,
  http: boolean,
  { at, base = at }: CardAddress,
  pointer: string,
  findings: Findings,
): InterfaceUrl {
  if (typeof raw !== "string") return { url: "", problem: `expected a string, found ${quote(raw)}` };
  const text = raw.trim();
  if (text === "") return { url: "", problem: "is empty" };
  if (text !== raw) findings.lenient(pointer, "blanks", "the blanks around it were left out");
  const found = placeholder.exec(text)?.[0];
  if (found !== undefined)
    return { url: text, problem: `holds a placeholder that nobody filled in (${found})` };
  if (!http) return { url: text };

  const absolute = /^https?:\/\//i.test(text);
  if (!absolute && (/^[a-z][\w+.-]*:/i.test(text) || /^[\w-]+(\.[\w-]+)+(\/|$)/.test(text))) {
    return { url: text, problem: "is no URL of http or https" };
  }
  if (!absolute && base === undefined) {
    return { url: text, problem: "is relative, and the address of the card is not known" };
  }
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (url === undefined) return { url: text, problem: "is no URL" };
  if (url.username || url.password) {
    return { url: publicUrl(url), problem: "holds credentials, which belong into headers" };
  }
  if (at !== undefined && publicUrl(url) === publicUrl(at)) {
    return { url: url.href, problem: "is the address of the card itself" };
  }
  if (!absolute) findings.lenient(pointer, "relative_url", `relative, read as ${publicUrl(url)}`);
  // As it was written, for the path of a JSON-RPC endpoint is used as it is.
  advise(url, at, pointer, findings);
  return { url: absolute ? text : url.href };
}

/** What is legal and yet unlikely to work. */
function advise(url: URL, card: URL | undefined, pointer: string, findings: Findings): void {
  const reach = hostReach(url.hostname);
  if (reach === "nowhere") {
    findings.advise(pointer, "unroutable_url", `${url.hostname} is an address to listen on, not one to call`);
  } else if (reach === "private" && card !== undefined && hostReach(card.hostname) === "public") {
    findings.advise(
      pointer,
      "private_url",
      `a card from ${card.hostname} names ${url.hostname}, which is inside a private network`,
    );
  }
  if (operation.test(url.pathname)) {
    findings.advise(
      pointer,
      "operation_url",
      "looks like the path of an operation, not like that of an interface",
    );
  } else if (/\/agent(-card)?\.json$/.test(url.pathname)) {
    findings.advise(pointer, "card_url", "looks like the address of a card, not like that of an interface");
  }
}
