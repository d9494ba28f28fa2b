import { isObject } from "../../codec/json.js";
import { quote } from "../../codec/reader.js";
import type { JsonObject } from "../../descriptor.js";
import { A2AError, type Violation } from "../../errors.js";
import type { CardInterface } from "./card-interface.js";
import { below } from "./findings.js";

/** What was given is no card, or one of an agent that nobody can call. `where` is its address, or a word for it. */
export function notACard(where: string, violations: readonly Violation[]): A2AError {
  const said = violations
    .slice(0, 8)
    .map(({ field, description }) => (field === "" ? description : `${field}: ${description}`));
  if (violations.length > said.length) said.push(`and ${String(violations.length - said.length)} more`);
  return new A2AError("DECODE", `${where} is no usable agent card: ${said.join("; ")}`, { violations });
}

/** A violation at a pointer. */
export const violationAt = (pointer: string, description: string): Violation => ({
  field: pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((field, step) => {
      if (/^\d+$/.test(step)) return `${field}[${step}]`;
      return field === "" ? step : `${field}.${step}`;
    }, ""),
  pointer,
  description,
});

/**
 * Why an object is no agent card; empty for one that is. A name and something to call are a must; a text and a URL alone
 * are what many documents have, so an old card must also say what the agent can do.
 */
export function cardViolations(card: JsonObject, interfaces: readonly CardInterface[]): Violation[] {
  const found: Violation[] = [];
  const add = (pointer: string, description: string): void => {
    found.push(violationAt(pointer, description));
  };
  const { name, capabilities, skills, url } = card;
  if (typeof name !== "string") add("/name", `expected a string, found ${quote(name)}`);
  if (capabilities != null && !isObject(capabilities)) {
    add("/capabilities", `expected an object, found ${quote(capabilities)}`);
  }
  if (skills != null && !Array.isArray(skills)) add("/skills", `expected a list, found ${quote(skills)}`);
  if (interfaces.length === 0) found.push(...nothingToCall(card));
  else if (!interfaces.some(({ usable }) => usable)) {
    for (const { pointer, problem } of interfaces) add(pointer, problem ?? "cannot be called");
  } else if (
    url !== undefined &&
    capabilities == null &&
    skills == null &&
    !("supportedInterfaces" in card)
  ) {
    add("/skills", "required, found nothing, and no capabilities either");
  }
  return found;
}

function nothingToCall(card: JsonObject): Violation[] {
  const { url, supportedInterfaces: list } = card;
  const found: Violation[] = [];
  if (url !== undefined) found.push(violationAt("/url", `expected a string, found ${quote(url)}`));
  if (list === undefined)
    found.push(violationAt("/supportedInterfaces", "required, found nothing, and no url either"));
  else if (!Array.isArray(list)) {
    found.push(violationAt("/supportedInterfaces", `expected a list, found ${quote(list)}`));
  } else if (list.length === 0) found.push(violationAt("/supportedInterfaces", "must not be empty"));
  else found.push(violationAt("/supportedInterfaces/0", `expected an object, found ${quote(list[0])}`));
  return [...found, ...nearMisses(card)];
}

/** Members that other formats use for what a card calls interfaces. */
const lookalikes = ["interfaces", "endpoints", "endpoint", "services", "communication", "servers"];

function nearMisses(card: JsonObject): Violation[] {
  return lookalikes.flatMap((name) => {
    const value = card[name];
    if (value == null) return [];
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    const member = isObject(first)
      ? ["type", "protocol", "transport", "url"].find((one) => one in first)
      : undefined;
    const pointer = below("", name);
    return [
      violationAt(
        member === undefined ? pointer : below(below(pointer, 0), member),
        member === undefined || member === "url"
          ? "is not read; cards name their endpoints in supportedInterfaces"
          : "is not read; the specification has supportedInterfaces[].protocolBinding",
      ),
    ];
  });
}
