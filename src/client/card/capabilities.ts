import { isObject } from "../../codec/json.js";
import { quote } from "../../codec/reader.js";
import type { Json, JsonObject, ObjectRule } from "../../descriptor.js";
import { camelMembers, readEach } from "./card-parts.js";
import { decodePart } from "./decode-part.js";
import { below, type Findings } from "./findings.js";

/** Where earlier versions, and drafts of 1.0, said that there is an extended card. */
const legacyFlags = ["supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"];

/**
 * The capabilities of a card. What is no boolean says nothing, so it counts as absent. The flag of the extended card
 * comes from its old place where the new one is silent: all of true, false and absent are kept apart.
 */
export function readCapabilities(
  card: JsonObject,
  rule: ObjectRule,
  extension: ObjectRule,
  mixed: boolean,
  findings: Findings,
): Json {
  const pointer = "/capabilities";
  const given = card["capabilities"];
  if (!isObject(given)) findings.lenient(pointer, "missing_member", "missing, read as {}");
  const capabilities = camelMembers(isObject(given) ? given : {}, rule, [], pointer, findings);
  for (const [name, of] of Object.entries(rule.fields)) {
    const value = capabilities[name];
    if (of.is !== "boolean" || typeof value === "boolean" || value == null) continue;
    findings.lenient(
      below(pointer, name),
      "wrong_type",
      `expected a boolean, found ${quote(value)}, left out`,
    );
    Reflect.deleteProperty(capabilities, name);
  }
  const extensions = readEach(
    capabilities["extensions"],
    below(pointer, "extensions"),
    findings,
    (item, at) => decodePart(extension, item, at, findings),
  );
  Reflect.deleteProperty(capabilities, "extensions");
  if (extensions !== undefined) capabilities["extensions"] = extensions;
  readExtendedCard(card, capabilities, mixed, findings);
  return decodePart(rule, capabilities, pointer, findings) ?? {};
}

function readExtendedCard(
  card: JsonObject,
  capabilities: JsonObject,
  mixed: boolean,
  findings: Findings,
): void {
  for (const name of legacyFlags) {
    const flag = card[name];
    if (flag === undefined || flag === null) continue;
    const known = capabilities["extendedAgentCard"];
    const pointer = below("", name);
    if (typeof flag !== "boolean") {
      findings.lenient(pointer, "wrong_type", `expected a boolean, found ${quote(flag)}, left out`);
    } else if (known == null) {
      if (mixed)
        findings.lenient(
          pointer,
          "legacy_name",
          "of an earlier version, read as capabilities.extendedAgentCard",
        );
      capabilities["extendedAgentCard"] = flag;
    } else if (known !== flag) {
      findings.lenient(
        pointer,
        "contradiction",
        `capabilities.extendedAgentCard says ${quote(known)}, which counts`,
      );
    }
  }
}
