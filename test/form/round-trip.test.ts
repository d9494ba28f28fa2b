import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2A as A2A02 } from "../../generated/v0.2/service.js";
import { A2A as A2A03 } from "../../generated/v0.3/service.js";
import { decode } from "../../src/codec/decode.js";
import { createBridge } from "../../src/convert/bridge.js";
import type { Loss, MethodBridge } from "../../src/convert/types.js";
import type { Rule, ServiceDescriptor } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";
import { valid } from "../convert/properties/arbitrary.js";
import { valueAt } from "../convert/properties/refusals.js";
import { variantOf } from "../../src/codec/variant-of.js";

/** Values in all, over every operation, both sides and both ways. */
const VALUES = Number(process.env["A2A_RUNS"] ?? 20_000);
const seed = process.env["A2A_SEED"] === undefined ? {} : { seed: Number(process.env["A2A_SEED"]) };

const versions: readonly ServiceDescriptor[] = [A2A03, A2A02];

/** Every operation of a version with its form. */
async function operationsOf(near: ServiceDescriptor): Promise<readonly MethodBridge[]> {
  const form = await near.form?.();
  if (form === undefined) throw new Error(`${near.version} has no form`);
  const bridge = createBridge([form.hop], { near, far: form.service }, { far: form.hop.older });
  return [...bridge.byNearName.values()];
}

const cases = (
  await Promise.all(
    versions.map(async (service) =>
      (await operationsOf(service)).flatMap((method) =>
        (["input", "output"] as const).map((side) => ({
          name: `${service.version} ${method.nearName} ${side}`,
          method,
          side,
        })),
      ),
    ),
  )
).flat();
const numRuns = Math.ceil(VALUES / (2 * cases.length));

it("covers every operation that both forms have", () => {
  expect(cases.filter(({ side }) => side === "input").map(({ name }) => name)).toHaveLength(10 + 9);
});

describe("a value of the JSON", () => {
  it.each(cases)("$name", ({ method, side }) => {
    const { near, far } = method;
    const direction = side === "input" ? "request" : "reply";
    const property = fc.property(valid(near[side]), (value) => {
      const before = JSON.stringify(value);
      const losses: Loss[] = [];
      const converted = attempt(() => method[side].down(value, {}, losses));
      expect(JSON.stringify(value)).toBe(before);
      if (converted instanceof A2AError) {
        expectRefusal(converted, value);
        return;
      }
      expect(decode(far[side], converted, { direction, keepZero: true })).toBe(converted);
      for (const { path, code } of losses) if (code !== "synthesized") valueAt(value, path);
      if (losses.length > 0) return;
      const back = method[side].up(converted);
      expect(withoutBlankId(lean(near[side], back))).toEqual(withoutBlankId(lean(near[side], value)));
    });
    fc.assert(property, { numRuns, ...seed });
  });
});

describe("a value of the form", () => {
  it.each(cases)("$name", ({ method, side }) => {
    const { near, far } = method;
    const direction = side === "input" ? "request" : "reply";
    const property = fc.property(valid(far[side]), fc.nat(9), (given, n) => {
      const value = named(far[side], given, n, /PushNotificationConfig/.test(far.name));
      const losses: Loss[] = [];
      const converted = attempt(() => method[side].up(value, {}, losses));
      if (converted instanceof A2AError) {
        expectRefusal(converted, value);
        return;
      }
      expect(decode(near[side], converted, { direction })).toBe(converted);
      for (const { path, code } of losses) if (code !== "synthesized") valueAt(value, path);
      if (losses.length > 0) return;
      const back: Loss[] = [];
      const again = method[side].down(converted, {}, back);
      if (back.length > 0) return;
      expect(lean(far[side], again)).toEqual(lean(far[side], value));
    });
    fc.assert(property, { numRuns, ...seed });
  });
});

function attempt<T>(run: () => T): T | A2AError {
  try {
    return run();
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
}

/** What the version mapping refuses, with the value that it is about. */
function expectRefusal({ violations = [] }: A2AError, value: unknown): void {
  expect(violations.length).toBeGreaterThan(0);
  for (const { pointer } of violations) {
    const found = valueAt(value, pointer);
    const isKnown =
      // 2.10: no negative number, and one of 32 bits in the proto.
      (/historyLength$/.test(pointer) && (Number(found) < 0 || Number(found) > 2 ** 31 - 1)) ||
      // 2.2: nobody is no sender. What an agent says may have a name that nobody knows.
      (/role$/.test(pointer) && !/^ROLE_(USER|AGENT)$/.test(String(found))) ||
      // 2.14: three places for an API key.
      (/location$/.test(pointer) && !/^(header|query|cookie)$/i.test(String(found)));
    expect(isKnown, `${pointer} of ${JSON.stringify(value)}`).toBe(true);
  }
}

/** The value with names of resources where the form has them; the proto calls them text, and most texts are none. */
function named(rule: Rule, value: unknown, n: number, ofConfig: boolean): unknown {
  if (rule.is !== "object" || typeof value !== "object" || value === null) return value;
  const task = `tasks/t${String(n)}`;
  const config = `${task}/pushNotificationConfigs/c${String(n)}`;
  const out: Record<string, unknown> = { ...value };
  if ("parent" in rule.fields) out["parent"] = task;
  if ("name" in rule.fields && !("url" in rule.fields)) out["name"] = ofConfig ? config : task;
  if ("pushNotificationConfig" in rule.fields)
    out["pushNotificationConfig"] = withId(out["pushNotificationConfig"], n);
  if ("configId" in rule.fields) out["configId"] = `c${String(n)}`;
  for (const key of ["config", "configs"]) {
    const of = rule.fields[key];
    const items = out[key];
    if (of?.is === "list" && Array.isArray(items))
      out[key] = items.map((item) => named(of.of, item, n, ofConfig));
    else if (of !== undefined && items !== undefined) out[key] = named(of, items, n, ofConfig);
  }
  return out;
}

/** A resource name cannot tell an empty id from none. */
function withoutBlankId(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("pushNotificationConfigId" in value)) return value;
  const { pushNotificationConfigId: id, ...others } = value;
  return id === "" ? others : value;
}

/** The same id as in the name. */
const withId = (config: unknown, n: number): unknown =>
  typeof config === "object" && config !== null ? { ...config, id: `c${String(n)}` } : config;

/** What has a default value is as good as absent: in the form everywhere, in the JSON where nothing is required. */
function lean(rule: Rule, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (rule.is === "list" || rule.is === "map") {
    if (Array.isArray(value)) return value.map((item) => lean(rule.of, item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lean(rule.of, item)]));
  }
  if (rule.is === "tagged" || rule.is === "choice")
    return lean(variantOf(rule, value as never) ?? { is: "json" }, value);
  if (rule.is !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const of = rule.fields[key];
      const inner = of === undefined ? item : lean(of, item);
      const isKept =
        of === undefined ||
        rule.required?.includes(key) === true ||
        rule.oneofs?.some(({ members }) => members.includes(key)) === true;
      return isKept || !isDefault(of, inner) ? [[key, inner]] : [];
    }),
  );
}

const isDefault = (rule: Rule, value: unknown): boolean =>
  value === "" ||
  value === false ||
  value === 0 ||
  (rule.is === "enum" && /_UNSPECIFIED$/.test(String(value))) ||
  (/list|map|struct|object/.test(rule.is) && Object.keys(value as object).length === 0);
