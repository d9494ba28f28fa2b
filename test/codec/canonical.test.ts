import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2A as A2Av03 } from "../../generated/v0.3/index.js";
import * as v1 from "../../generated/v1.0/tables.js";
import { canonicalCheck } from "../../src/codec/canonical.js";
import { isJson } from "../../src/codec/json.js";
import { fieldsOf } from "../../src/codec/object.js";
import { decode, type Problem } from "../../src/codec/decode.js";
import { tolerant } from "../../src/codec/tolerant.js";
import type { Table } from "../../src/descriptor.js";
import { canonical } from "./arbitrary.js";
import { disguise } from "./disguise.js";

const tables: readonly (readonly [string, Table<unknown>])[] = [
  ["StreamResponse of 1.0", v1.StreamResponse],
  ["ListTasksResponse of 1.0", v1.ListTasksResponse],
  ["AgentCard of 1.0", v1.AgentCard],
  ["an event of 0.3", A2Av03.methods.sendStreamingMessage.output],
];

/** What decoding in both modes makes of a value; undefined where one refuses it, changes it or has something to report. */
function untouched(table: Table<unknown>, value: unknown): boolean {
  return [undefined, tolerant].every((mode) => {
    const problems: Problem[] = [];
    try {
      const read: unknown = decode<unknown>(table, value, { direction: "reply", mode, problems });
      return read === value && problems.length === 0;
    } catch {
      return false;
    }
  });
}

/** A value with something about it changed: a member dropped, added, renamed, or another value in its place. */
function spoiled(value: unknown, at: number, by: unknown): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const copy: unknown = structuredClone(value);
  const walk = (one: unknown): void => {
    if (typeof one !== "object" || one === null) return;
    for (const key of Object.keys(one)) {
      const holder = one as Record<string, unknown>;
      places.push({ holder, key });
      walk(holder[key]);
    }
  };
  walk(copy);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return by;
  const { holder, key } = place;
  const item = holder[key];
  if (at % 3 > 0 && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
  if (at % 3 === 1) holder[`${key}_`] = item;
  if (at % 3 === 0) holder[key] = by;
  return copy;
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    0,
    -1,
    [],
    {},
    true,
    "TASK_STATE_WORKING",
    "completed",
    "2026-02-29T00:00:00Z",
  ),
  fc.constantFrom<unknown>(
    { text: "" },
    { kind: "text" },
    { task: {}, message: {} },
    Number.NaN,
    "2026-01-01T00:00:00",
  ),
  fc.jsonValue(),
);

describe.each(tables)("%s", (_, table) => {
  const check = canonicalCheck(table, { fieldsOf, isJson });
  const values = canonical(table);

  it("what passes is what decoding leaves alone, whatever came before it", () => {
    let passed = 0;
    const seen = (value: unknown): void => {
      if (!check(value, 0)) return;
      passed += 1;
      expect(untouched(table, value)).toBe(true);
    };
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.boolean()), fc.nat(), odd, (value, tosses, at, by) => {
        seen(value);
        seen(disguise(table, value, () => tosses.next().value ?? false));
        seen(spoiled(value, at, by));
      }),
      { numRuns: 400 },
    );
    // Most canonical values do: the others have bytes, or times at the end of a month.
    expect(passed).toBeGreaterThan(100);
  });
});

describe("canonicalCheck", () => {
  const check = canonicalCheck(v1.StreamResponse, { fieldsOf, isJson });
  const update = { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ text: "x" }] } };

  it("passes the events of a stream, in any order of their members", () => {
    expect(check({ artifactUpdate: { ...update, append: true } }, 0)).toBe(true);
    expect(check({ artifactUpdate: { append: true, ...update } }, 0)).toBe(true);
    const status = { state: "TASK_STATE_WORKING", timestamp: "2026-01-01T00:00:00Z" };
    expect(check({ statusUpdate: { taskId: "t", contextId: "c", status } }, 0)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["another spelling", { artifact_update: update }],
    ["an unknown member", { artifactUpdate: { ...update, more: 1 } }],
    ["null for absent", { artifactUpdate: { ...update, metadata: null } }],
    ["a missing member", { artifactUpdate: { taskId: "t", contextId: "c" } }],
    ["two payloads", { artifactUpdate: update, message: { messageId: "m", role: "ROLE_USER", parts: [] } }],
    ["an unknown state", { statusUpdate: { taskId: "t", contextId: "c", status: { state: "completed" } } }],
    ["a list in place of an object", [update]],
    ["nothing", {}],
  ])("leaves %s to decoding", (_, value) => {
    expect(check(value, 0)).toBe(false);
  });

  it("leaves what is nested too deep to decoding", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 97; level++) deep = { deep };
    const event = { artifactUpdate: { ...update, metadata: { deep } } };
    expect(untouched(v1.StreamResponse, event)).toBe(true);
    expect(check(event, 0)).toBe(true);
    const deeper = { artifactUpdate: { ...update, metadata: { deep: { deep } } } };
    expect(untouched(v1.StreamResponse, deeper)).toBe(false);
    expect(check(deeper, 0)).toBe(false);
  });
});
