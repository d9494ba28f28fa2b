import { decode } from "../codec/decode.js";
import { A2AError } from "../errors.js";
import { agentCardTable, type AgentCard } from "../versions/pivot.js";
import { lintCapabilities } from "./lint-capabilities.js";
import { lintInterfaces } from "./lint-interfaces.js";
import { lintSecrets } from "./lint-secrets.js";
import { lintSecurity } from "./lint-security.js";
import { lintTexts } from "./lint-texts.js";
import type { CardMeans, CardProblem, CardRule, Report } from "./lint-types.js";

const RULES: readonly CardRule[] = [lintCapabilities, lintInterfaces, lintSecurity, lintTexts, lintSecrets];

/** Members that a card of 0.x has at its top and one of 1.0 has not (A2A-4.4.1-f). */
const LEGACY: readonly string[] = [
  "url",
  "protocolVersion",
  "preferredTransport",
  "additionalInterfaces",
  "supportsAuthenticatedExtendedCard",
  "security",
];

/**
 * What is wrong with a card of the newest version, as far as the card itself and `means` tell. Where its shape is wrong,
 * only that is reported. Errors are contradictions that a server refuses to start with.
 */
export function lintCard(card: object, means: CardMeans = {}): CardProblem[] {
  const problems: CardProblem[] = [];
  const report: Report = (level, path, message, rule) => {
    problems.push({ level, pointer: pointerOf(path), message, rule });
  };
  const decoded = readShape(card, problems);
  if (decoded !== undefined) for (const rule of RULES) rule(decoded, means, report);
  for (const name of LEGACY) {
    if (Object.hasOwn(card, name)) {
      report(
        "warning",
        [name],
        "belongs to cards of 0.x, which are made where they are asked for",
        "A2A-4.4.1-f",
      );
    }
  }
  return problems;
}

/** The card as its readers see it; undefined where they would refuse it. */
function readShape(card: object, problems: CardProblem[]): AgentCard | undefined {
  try {
    return decode(agentCardTable, JSON.parse(JSON.stringify(card)), { direction: "reply" });
  } catch (thrown) {
    const error = A2AError.from(thrown);
    for (const { field, description } of error.violations ?? [{ field: "", description: error.message }]) {
      problems.push({
        level: "error",
        pointer: pointerOf(field.split(/[.[\]]+/).filter((part) => part !== "")),
        message: description,
        rule: ruleOf(field),
      });
    }
    return undefined;
  }
}

/** The rule that says which members an object must have. */
const ruleOf = (field: string): string => OBJECTS.find(([start]) => start.test(field))?.[1] ?? "A2A-4.4.1-a";

const OBJECTS: readonly (readonly [RegExp, string])[] = [
  [/^supportedInterfaces./, "A2A-4.4.6-a"],
  [/^provider./, "A2A-4.4.2-a"],
  [/^capabilities\.extensions./, "A2A-4.4.4-a"],
  [/^skills./, "A2A-4.4.5-a"],
  [/^signatures./, "A2A-4.4.7-a"],
  [/^securitySchemes\..+\.flows$/, "A2A-4.5.7-a"],
  [/^securitySchemes./, "A2A-4.5.1-a"],
];

/** RFC 6901. */
const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
