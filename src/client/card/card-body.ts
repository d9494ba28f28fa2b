import { isObject, memberOf } from "../../codec/json.js";
import { quote } from "../../codec/reader.js";
import type { JsonObject, ObjectRule, Rule } from "../../descriptor.js";
import { readCapabilities } from "./capabilities.js";
import type { CardInterface } from "./card-interface.js";
import { readEach, readProvider, readSkill, readText, readTexts } from "./card-parts.js";
import { rulesOf } from "./card-rules.js";
import { decodeOr, decodePart } from "./decode-part.js";
import { below, type Findings } from "./findings.js";
import { notACard } from "./not-a-card.js";
import { readRequirements } from "./security-requirements.js";
import { readSchemes } from "./security-schemes.js";

/** Members of 0.x that have another place in the newest shape. */
export const legacyMembers = [
  "url",
  "preferredTransport",
  "additionalInterfaces",
  "protocolVersion",
  "security",
  "supportsAuthenticatedExtendedCard",
  "supportsExtendedAgentCard",
];

/** The members of a card in the newest shape, each read by itself. `interfaces` are those that it offers. */
export function readCardBody(
  source: JsonObject,
  interfaces: readonly CardInterface[],
  rule: ObjectRule,
  where: string,
  findings: Findings,
): JsonObject {
  const mixed = interfaces.some((one) => one.source === "supportedInterfaces");
  const rules = rulesOf(rule);
  const schemes = isObject(source["securitySchemes"])
    ? readSchemes(source["securitySchemes"], rules.scheme, mixed, findings)
    : undefined;
  const split = schemes?.split ?? new Map<string, readonly string[]>();
  const requirements = readRequirements(source, "", mixed, split, findings);
  const body: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(source).filter(([name]) => !legacyMembers.includes(name))),
    name: source["name"],
    description: readText(source, "description", "", findings),
    version: readText(source, "version", "", findings),
    supportedInterfaces: interfaces.flatMap((one) => interfaceOf(one, source, findings)),
    capabilities: readCapabilities(source, rules.capabilities, rules.extension, mixed, findings),
    defaultInputModes: readTexts(source, "defaultInputModes", "", findings, true),
    defaultOutputModes: readTexts(source, "defaultOutputModes", "", findings, true),
    skills: readEach(source["skills"] ?? missing("/skills", findings), "/skills", findings, (item, pointer) =>
      readSkill(item, pointer, rules.skill, mixed, split, findings),
    ),
    provider: readProvider(source["provider"], rules.provider, findings),
    securityRequirements: requirements,
    signatures: readSignatures(source, mixed, rules.signature, findings),
  };
  for (const name of ["documentationUrl", "iconUrl"]) {
    const value = source[name];
    if (value != null && typeof value !== "string") {
      findings.lenient(below("", name), "wrong_type", `expected a string, found ${quote(value)}, left out`);
      body[name] = undefined;
    }
  }
  adviseOnBlocks(source, schemes?.schemes, requirements, findings);
  // Read before, one by one; one that could not be read is kept all the same.
  body["securitySchemes"] = undefined;
  const card = decodeOr(rule, withoutUndefined(body), "", findings, (violations): never => {
    throw notACard(where, violations);
  });
  return schemes === undefined ? card : { ...card, securitySchemes: schemes.schemes };
}

const withoutUndefined = (object: Record<string, unknown>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;

const missing = (pointer: string, findings: Findings): [] => {
  findings.lenient(pointer, "missing_member", "missing, read as an empty list");
  return [];
};

/** An interface as the card has it; a guess of ours is not in the card. */
function interfaceOf(one: CardInterface, source: JsonObject, findings: Findings): JsonObject[] {
  const { url, protocolBinding, protocolVersion, tenant } = one;
  if (url === "") {
    findings.lenient(one.pointer, "unusable_interface", `${one.problem ?? "cannot be called"}, left out`);
    return [];
  }
  if (!one.usable) findings.lenient(one.pointer, "unusable_interface", one.problem ?? "cannot be called");
  if (one.source === "legacy" && one.assumed && source["protocolVersion"]) return [];
  const entry = one.source === "legacy" ? undefined : entryAt(source, one.pointer);
  return [{ ...entry, url, protocolBinding, protocolVersion, ...(tenant !== undefined && { tenant }) }];
}

/** The entry of `supportedInterfaces` that a pointer leads to, or into. */
function entryAt(source: JsonObject, pointer: string): JsonObject | undefined {
  const index = Number(pointer.split("/")[2]);
  const list = source["supportedInterfaces"];
  const entry = Array.isArray(list) ? list[index] : undefined;
  if (!isObject(entry)) return undefined;
  // Their values are among the members that are written anew.
  const { transport: _, protocol_binding: __, protocol_version: ___, ...others } = entry;
  return others;
}

/** Signatures cover the document as it came: a card that was put into another shape has none (decision 14). */
function readSignatures(
  source: JsonObject,
  mixed: boolean,
  rule: Rule,
  findings: Findings,
): JsonObject[] | undefined {
  const signatures = readEach(source["signatures"], "/signatures", findings, (item, pointer) =>
    decodePart(rule, item, pointer, findings),
  );
  if (signatures === undefined || signatures.length === 0) return signatures;
  const kept = mixed && findings.leniencies.length === 0;
  findings.advise(
    "/signatures",
    "unverified_signature",
    `not verified${kept ? "" : "; left out, for the card was put into another shape: verify the document"}`,
  );
  return kept ? signatures : undefined;
}

/** Members that look as if they said something, and requirements that name no scheme. */
function adviseOnBlocks(
  source: JsonObject,
  schemes: JsonObject | undefined,
  requirements: readonly JsonObject[] | undefined,
  findings: Findings,
): void {
  if (source["authentication"] !== undefined) {
    findings.advise(
      "/authentication",
      "unread_member",
      "of 0.1, advisory: how to authenticate is not read from it",
    );
  }
  if (source["extensions"] !== undefined) {
    findings.advise(
      "/extensions",
      "unread_member",
      "not read; extensions are declared in capabilities.extensions",
    );
  }
  for (const [index, { schemes: named }] of (requirements ?? []).entries()) {
    for (const name of isObject(named) ? Object.keys(named) : []) {
      if (memberOf(schemes, name) !== undefined) continue;
      const pointer = below("/securityRequirements", index);
      findings.advise(pointer, "unknown_scheme", `names ${quote(name)}, which securitySchemes does not have`);
    }
  }
}
