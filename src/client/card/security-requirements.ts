import { isObject } from "../../codec/json.js";
import { quote } from "../../codec/reader.js";
import type { Json, JsonObject } from "../../descriptor.js";
import { below, type Findings } from "./findings.js";

/** One way in: all of these schemes, each with its scopes. */
type Alternative = readonly (readonly [scheme: string, scopes: string[]])[];

/**
 * The requirements of a card or of a skill: `securityRequirements`, else `security`, each entry in the shape it has
 * (version mapping 2.16). Undefined where there are none. Nothing that names a scheme is ever left out, for that would
 * open a door: an entry that cannot be read becomes one that nobody can meet.
 */
export function readRequirements(
  owner: JsonObject,
  pointer: string,
  mixed: boolean,
  split: ReadonlyMap<string, readonly string[]>,
  findings: Findings,
): JsonObject[] | undefined {
  const current = owner["securityRequirements"];
  const legacy = owner["security"];
  // An empty list is what ProtoJSON writers print for nothing.
  const name = isEmpty(current) && !isEmpty(legacy) ? "security" : "securityRequirements";
  const value = name === "security" ? legacy : (current ?? legacy);
  const at = below(pointer, name);
  if (value === undefined || value === null) return undefined;
  if (name === "security" && mixed)
    findings.lenient(at, "legacy_name", "the name of 0.x, read as securityRequirements");
  const entries = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value)) findings.lenient(at, "wrong_type", `expected a list, found ${quote(value)}`);
  return entries.flatMap((entry, index) => {
    const alternative = readEntry(entry, below(at, index), name === "securityRequirements", findings);
    const { ways, isCut } = expand(alternative, split);
    if (isCut)
      findings.lenient(
        below(at, index),
        "split_flows",
        `has more than ${String(MAX_ALTERNATIVES)} ways in, of which that many are read`,
      );
    return ways.map((one) => ({
      schemes: Object.fromEntries(one.map(([scheme, list]) => [scheme, { list }])),
    }));
  });
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

function readEntry(entry: Json, pointer: string, current: boolean, findings: Findings): Alternative {
  if (typeof entry === "string" && entry !== "") {
    findings.lenient(pointer, "legacy_requirement", `read as the scheme ${quote(entry)} without scopes`);
    return [[entry, []]];
  }
  if (!isObject(entry)) {
    findings.lenient(pointer, "wrong_type", `expected an object, found ${quote(entry)}; nothing meets it`);
    return [["", []]];
  }
  const { schemes, ...flat } = entry;
  const wrapped = isObject(schemes) ? schemes : undefined;
  // `schemes` with a list is a scheme of that name, in the flat form.
  const rest = Object.entries(wrapped === undefined && schemes != null ? entry : flat);
  if (rest.length > 0 && current)
    findings.lenient(pointer, "legacy_requirement", "the form of 0.x, read as { schemes }");
  return [
    ...Object.entries(wrapped ?? {}).map(
      ([name, item]) => [name, scopesOf(item, below(`${pointer}/schemes`, name), false, findings)] as const,
    ),
    ...rest.map(([name, item]) => [name, scopesOf(item, below(pointer, name), true, findings)] as const),
  ];
}

function scopesOf(item: Json, pointer: string, flat: boolean, findings: Findings): string[] {
  const list = isObject(item) ? (item["list"] ?? []) : item;
  if (!flat && !isObject(item)) {
    findings.lenient(pointer, "legacy_requirement", "a list of scopes, read as { list }");
  }
  const scopes = (Array.isArray(list) ? list : [list]).filter(
    (one): one is string => typeof one === "string",
  );
  if (!Array.isArray(list) || scopes.length !== list.length) {
    findings.lenient(pointer, "wrong_type", "expected a list of texts; the others were left out");
  }
  return scopes;
}

/** Combinations of flows of one requirement; what is beyond is not offered, lest a card multiply without end. */
const MAX_ALTERNATIVES = 64;

/** Alternatives for schemes that were split: whoever passes one of them passes the one they were. */
function expand(
  all: Alternative,
  split: ReadonlyMap<string, readonly string[]>,
): { readonly ways: readonly Alternative[]; readonly isCut: boolean } {
  let ways: readonly Alternative[] = [[]];
  let isCut = false;
  for (const [name, scopes] of all) {
    const found = ways.flatMap((before) =>
      (split.get(name) ?? [name]).map((one): Alternative => [...before, [one, scopes]]),
    );
    isCut ||= found.length > MAX_ALTERNATIVES;
    ways = found.slice(0, MAX_ALTERNATIVES);
  }
  return { ways, isCut };
}
