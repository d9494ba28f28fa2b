import { isObject } from "../../codec/json.js";
import { fieldsOf } from "../../codec/object.js";
import { quote } from "../../codec/reader.js";
import type { JsonObject, ObjectRule } from "../../descriptor.js";
import { decodePart } from "./decode-part.js";
import { below, type Findings } from "./findings.js";

/** Members that hold a scheme, by the `type` of 0.x and OpenAPI. */
const wrappers: Readonly<Record<string, string>> = {
  apiKey: "apiKeySecurityScheme",
  http: "httpAuthSecurityScheme",
  oauth2: "oauth2SecurityScheme",
  openIdConnect: "openIdConnectSecurityScheme",
  mutualTLS: "mtlsSecurityScheme",
};

/** Flows of OAuth. */
const flowNames = ["authorizationCode", "clientCredentials", "implicit", "password", "deviceCode"];

/** The schemes of a card, and the names that those with several OAuth flows were split into. */
export interface ReadSchemes {
  readonly schemes: JsonObject;
  readonly split: ReadonlyMap<string, readonly string[]>;
}

/**
 * Security schemes, each in the shape it has (version mapping 2.16): a wrapper member wins over `type`. What cannot be
 * read is kept as it came, for a requirement may name it. `mixed`: the card is of 1.x, so `type` is worth a remark.
 */
export function readSchemes(
  value: JsonObject,
  rule: ObjectRule,
  mixed: boolean,
  findings: Findings,
): ReadSchemes {
  const schemes: [name: string, scheme: JsonObject][] = [];
  const split = new Map<string, readonly string[]>();
  const taken = new Set(Object.keys(value));
  for (const [name, given] of Object.entries(value)) {
    const pointer = below("/securitySchemes", name);
    if (!isObject(given)) {
      findings.lenient(pointer, "wrong_type", `expected an object, found ${quote(given)}, left out`);
      continue;
    }
    const wrapped = wrap(given, rule, mixed, pointer, findings);
    if (wrapped === undefined) {
      findings.lenient(
        pointer,
        "opaque_scheme",
        `of an unknown type (${quote(given["type"])}), kept as it is`,
      );
      schemes.push([name, given]);
      continue;
    }
    const parts = splitFlows(wrapped);
    const names = parts.map(([flow], index) => (index === 0 ? name : freeName(taken, `${name}-${flow}`)));
    if (names.length > 1) {
      split.set(name, names);
      findings.lenient(pointer, "split_flows", `has several OAuth flows, read as ${names.join(", ")}`);
    }
    for (const [index, [, part]] of parts.entries()) {
      const read = decodePart(rule, part, pointer, findings, "kept as it is");
      schemes.push([names[index] ?? name, read ?? part]);
    }
  }
  // Entries, unlike assignments, keep a scheme named `__proto__` harmless.
  return { schemes: Object.fromEntries(schemes), split };
}

/** The scheme under its wrapper member; undefined where its type is unknown. */
function wrap(
  given: JsonObject,
  rule: ObjectRule,
  mixed: boolean,
  pointer: string,
  findings: Findings,
): JsonObject | undefined {
  const fields = fieldsOf(rule);
  const wrapper = Object.keys(given).find((key) => fields.get(key)?.member && isObject(given[key]));
  if (wrapper !== undefined) {
    const others = Object.keys(given).filter((key) => key !== wrapper);
    if (others.length > 0) {
      findings.lenient(pointer, "both_shapes", `${wrapper} counts, ${others.join(", ")} left out`);
    }
    return { [wrapper]: given[wrapper] ?? null };
  }
  const type = given["type"];
  const [known, name] = Object.entries(wrappers).find(([one]) => sameWord(one, type)) ?? [];
  if (known !== undefined && name !== undefined) {
    if (mixed || known !== type)
      findings.lenient(pointer, "legacy_scheme", `written as in 0.x, read as ${name}`);
    // Some peers repeat the scheme under a member named after its type.
    const own = Object.entries(given).filter(([key]) => key !== "type" && !Object.hasOwn(wrappers, key));
    const place = known === "apiKey" && !Object.hasOwn(given, "location");
    return {
      [name]: Object.fromEntries(
        own.map(([key, value]) => [place && key === "in" ? "location" : key, value]),
      ),
    };
  }
  const [inner, outer] =
    Object.entries(wrappers).find(([one]) => isObject(given[one]) && type === undefined) ?? [];
  if (inner === undefined || outer === undefined) return undefined;
  findings.lenient(below(pointer, inner), "legacy_scheme", `read as ${outer}`);
  return { [outer]: given[inner] ?? null };
}

const sameWord = (one: string, other: unknown): boolean =>
  typeof other === "string" && one.toLowerCase() === other.replace(/[^a-z0-9]/gi, "").toLowerCase();

/** One scheme per OAuth flow, each in the form that the newer layout gives a flow: exactly one, with scopes. */
function splitFlows(scheme: JsonObject): [flow: string, scheme: JsonObject][] {
  const oauth = scheme["oauth2SecurityScheme"];
  const flows = isObject(oauth) ? oauth["flows"] : undefined;
  if (!isObject(oauth) || !isObject(flows)) return [["", scheme]];
  const names = Object.keys(flows).filter((flow) => flowNames.includes(flow) && isObject(flows[flow]));
  if (names.length === 0) return [["", scheme]];
  return names.map((name) => [
    name,
    { oauth2SecurityScheme: { ...oauth, flows: { [name]: { scopes: {}, ...(flows[name] as JsonObject) } } } },
  ]);
}

/** A name that no scheme has, as conversion makes it. */
function freeName(taken: Set<string>, wish: string): string {
  let name = wish;
  while (taken.has(name)) name += "_";
  taken.add(name);
  return name;
}
