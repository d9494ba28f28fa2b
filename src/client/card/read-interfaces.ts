import { isObject } from "../../codec/json.js";
import { quote } from "../../codec/reader.js";
import type { JsonObject } from "../../descriptor.js";
import { canonicalBinding } from "./binding-name.js";
import { camelMembers } from "./card-parts.js";
import type { CardInterface } from "./card-interface.js";
import { below, type Findings } from "./findings.js";
import { readInterfaceUrl, type CardAddress } from "./interface-url.js";
import { compareVersions, majorMinor } from "./version-name.js";

/** The newest version whose cards name their endpoints at the top level; what a card without version speaks. */
const LAST_LEGACY = "0.3";
/** Members of an interface that some write in snake_case. */
const names = ["protocolBinding", "protocolVersion"];

/** What surrounds the interfaces of a card. */
export interface CardPlace {
  readonly address: CardAddress;
  /** What an interface of the newer layout speaks where neither it nor the card says so. */
  readonly newest: string;
  readonly findings: Findings;
}

interface Entry {
  readonly url: unknown;
  readonly urlPointer: string;
  readonly binding: unknown;
  readonly bindingPointer: string;
  readonly version: unknown;
  readonly versionPointer: string;
  readonly tenant: unknown;
  readonly source: CardInterface["source"];
  readonly pointer: string;
}

/**
 * Everything that a card offers to call, in order: `supportedInterfaces`, then what its top-level members of 0.x add to
 * that (version mapping 4.2). A card in the layout of 0.x that claims a later version is offered twice: as it claims,
 * then as the layout says.
 */
export function readInterfaces(card: JsonObject, place: CardPlace): CardInterface[] {
  const { findings } = place;
  const found: CardInterface[] = [];
  const known = new Set<string>();
  const add = (entry: Entry): void => {
    const one = readEntry(entry, place);
    const key = JSON.stringify([one.url, one.protocolBinding, one.protocolVersion, one.tenant]);
    if (!known.has(key)) {
      known.add(key);
      found.push(one);
    } else if (entry.source === "supportedInterfaces") {
      findings.lenient(entry.pointer, "duplicate_interface", "the same as an earlier one, left out");
    }
  };
  for (const entry of currentEntries(card, findings)) add(entry);
  const layered = found.length > 0;
  const legacy = legacyEntries(card, findings);
  for (const entry of legacy) add(entry);
  const { protocolVersion } = card;
  const claimed =
    legacy.length > 0 && typeof protocolVersion === "string" ? majorMinor(protocolVersion) : undefined;
  if (!layered && claimed !== undefined && compareVersions(claimed, LAST_LEGACY) > 0) {
    findings.lenient(
      "/protocolVersion",
      "claimed_version",
      `claims ${claimed} in the layout of 0.x: tried first as ${claimed}, then as ${LAST_LEGACY}`,
    );
    for (const one of found.filter(({ usable }) => usable)) {
      found.push({ ...one, protocolVersion: LAST_LEGACY, assumed: true });
    }
  }
  return found;
}

function currentEntries(card: JsonObject, findings: Findings): Entry[] {
  const list = card["supportedInterfaces"];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    findings.lenient("/supportedInterfaces", "wrong_type", `expected a list, found ${quote(list)}, left out`);
    return [];
  }
  return list.flatMap((given, index) => {
    const pointer = below("/supportedInterfaces", index);
    if (!isObject(given)) {
      findings.lenient(pointer, "wrong_type", `expected an object, found ${quote(given)}, left out`);
      return [];
    }
    const item = camelMembers(given, undefined, names, pointer, findings);
    const bindingName =
      item["protocolBinding"] === undefined && "transport" in item ? "transport" : "protocolBinding";
    if (bindingName === "transport") {
      findings.lenient(
        below(pointer, "transport"),
        "legacy_name",
        "the name of 0.x, read as protocolBinding",
      );
    }
    const own = item["protocolVersion"] || undefined;
    return [
      {
        url: item["url"],
        urlPointer: below(pointer, "url"),
        binding: item[bindingName] || undefined,
        bindingPointer: below(pointer, bindingName),
        version: own ?? card["protocolVersion"],
        versionPointer: own === undefined ? "/protocolVersion" : below(pointer, "protocolVersion"),
        tenant: item["tenant"],
        source: "supportedInterfaces",
        pointer,
      },
    ];
  });
}

function legacyEntries(card: JsonObject, findings: Findings): Entry[] {
  const version = {
    version: card["protocolVersion"],
    versionPointer: "/protocolVersion",
    source: "legacy",
  } as const;
  const entries: Entry[] = [];
  if (typeof card["url"] === "string") {
    entries.push({
      url: card["url"],
      urlPointer: "/url",
      // JSON-RPC is the default of 0.x.
      binding: card["preferredTransport"] || "JSONRPC",
      bindingPointer: "/preferredTransport",
      tenant: undefined,
      pointer: "/url",
      ...version,
    });
  }
  const more = card["additionalInterfaces"];
  for (const [index, given] of (Array.isArray(more) ? more : []).entries()) {
    const pointer = below("/additionalInterfaces", index);
    if (!isObject(given)) {
      findings.lenient(pointer, "wrong_type", `expected an object, found ${quote(given)}, left out`);
      continue;
    }
    const item = camelMembers(given, undefined, names, pointer, findings);
    const bindingName =
      item["transport"] === undefined && "protocolBinding" in item ? "protocolBinding" : "transport";
    entries.push({
      url: item["url"],
      urlPointer: below(pointer, "url"),
      binding: item[bindingName] || undefined,
      bindingPointer: below(pointer, bindingName),
      tenant: item["tenant"],
      pointer,
      ...version,
    });
  }
  return entries;
}

function readEntry(entry: Entry, { address, newest, findings }: CardPlace): CardInterface {
  const { source, pointer } = entry;
  const protocolBinding = readBinding(entry, findings);
  const version = readVersion(entry, newest, findings);
  const { url, problem } = readInterfaceUrl(
    entry.url,
    /^(JSONRPC|HTTP\+JSON)$/.test(protocolBinding),
    address,
    entry.urlPointer,
    findings,
  );
  const wrong = problem ?? version.problem;
  const { tenant } = entry;
  if (tenant && version.problem === undefined && compareVersions(version.version, LAST_LEGACY) <= 0) {
    findings.advise(
      below(pointer, "tenant"),
      "unsendable_tenant",
      `requests of ${version.version} have no tenant`,
    );
  }
  return {
    url,
    protocolBinding,
    protocolVersion: version.version,
    ...(typeof tenant === "string" && tenant !== "" && { tenant }),
    source,
    pointer: problem === undefined ? pointer : entry.urlPointer,
    assumed: version.assumed,
    usable: wrong === undefined,
    ...(wrong !== undefined && { problem: wrong }),
  };
}

function readBinding({ binding, bindingPointer }: Entry, findings: Findings): string {
  if (typeof binding !== "string") {
    findings.lenient(bindingPointer, "missing_binding", "names no binding, read as JSONRPC");
    return "JSONRPC";
  }
  const name = canonicalBinding(binding);
  if (name !== binding)
    findings.lenient(bindingPointer, "binding_name", `${quote(binding)}, read as ${name}`);
  return name;
}

interface Version {
  readonly version: string;
  readonly assumed: boolean;
  readonly problem?: string;
}

function readVersion(entry: Entry, newest: string, findings: Findings): Version {
  const { version: raw, versionPointer: pointer, source } = entry;
  const current = source === "supportedInterfaces";
  if (raw === undefined || raw === null || raw === "") {
    const version = current ? newest : LAST_LEGACY;
    const at = current ? below(entry.pointer, "protocolVersion") : pointer;
    findings.lenient(at, "missing_version", `names no protocol version, read as ${version}`);
    return { version, assumed: true };
  }
  const text = typeof raw === "number" ? String(raw) : raw;
  const version = typeof text === "string" ? majorMinor(text) : undefined;
  if (version === undefined) {
    const problem = `names no protocol version that can be read (${quote(raw)})`;
    return { version: typeof text === "string" ? text : "", assumed: false, problem };
  }
  if (current && (pointer === "/protocolVersion" || version !== text)) {
    findings.lenient(pointer, "version_name", `${quote(raw)}, read as ${version}`);
  }
  return { version, assumed: false };
}
