import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decode, type DecodeOptions } from "../../src/codec/decode.js";
import type { Table } from "../../src/descriptor.js";
import * as v02 from "../../generated/v0.2/tables.js";
import * as v03 from "../../generated/v0.3/tables.js";
import * as v1 from "../../generated/v1.0/tables.js";
import { errorOf, modeOf } from "./support.js";

interface Report {
  readonly id: string;
  readonly component: string;
  readonly version: string;
  readonly type: string;
  readonly mode?: "strict" | "tolerant";
  readonly input: unknown;
  readonly expectation: "valid" | "invalid" | "decodes_to";
  readonly expected?: { readonly fields?: readonly string[]; readonly field?: string };
  readonly why: string;
}
interface Negative {
  readonly id: string;
  readonly from: string;
  readonly type: string;
  readonly input: unknown;
  readonly code: number;
}

const load = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../vectors/shared/${name}`, import.meta.url), "utf8"));
const tablesOf: Readonly<Record<string, object>> = { "0.2": v02, "0.3": v03, "1.0": v1 };
const tableOf = (version: string, type: string): Table<unknown> => {
  const tables = tablesOf[version.slice(0, 3)] as Readonly<Record<string, Table<unknown>>> | undefined;
  const table = tables?.[type];
  if (table === undefined) throw new Error(`no table of ${version} ${type}`);
  return table;
};

/** Cases of these components that are not the work of one table, and whose it is. */
const elsewhere: Readonly<Record<string, string>> = {
  B005e: "0.3 types the timestamp as text; converting it to 1.0 adds the zone",
  B092b: "the range of historyLength is checked by the operation",
  B092c: "the range of pageSize is checked by the operation",
  B092d: "the range of pageSize is checked by the operation",
};

/** Where a report states the outcome in terms of 1.0, or of its one payload: the outcome in the terms of its own table. */
const outcome: Readonly<Record<string, unknown>> = {
  B001a: { data: null, mediaType: "application/json" },
  B003b: { data: { turns: [{ role: "user" }] } },
  B020: { kind: "task", id: "task-123", contextId: "c1", status: { state: "submitted" } },
  B025a: { state: "completed" },
  B025b: { state: "input-required" },
};

const reports = (load("field-reports.json") as readonly Report[]).filter(
  ({ component, version }) => (component === "codec" || component === "validator") && version in tablesOf,
);

describe("field reports about codecs and validators of one version", () => {
  it("are there", () => {
    expect(reports.length).toBeGreaterThan(30);
  });

  describe.each(reports.filter(({ id }) => !(id in elsewhere)))("$id: $why", (report) => {
    const table = tableOf(report.version, report.type);
    const modes = report.mode === undefined ? (["strict", "tolerant"] as const) : [report.mode];

    it.each(modes)("%s", (mode) => {
      const decodeAs = (direction: DecodeOptions["direction"]) =>
        decode(table, report.input, { direction, mode: modeOf(mode) });
      if (report.expectation === "invalid") {
        const fields = errorOf(() => decodeAs("request")).violations?.map(({ field }) => field);
        const { expected } = report;
        const named = expected?.fields ?? (expected?.field === undefined ? undefined : [expected.field]);
        if (named !== undefined) expect(fields).toEqual(named);
      } else {
        const value = decodeAs("reply");
        const expected = outcome[report.id] ?? (report.expectation === "valid" ? undefined : report.expected);
        if (expected === undefined) expect(value).toEqual(report.input);
        else expect(value).toMatchObject(expected);
        decodeAs("request");
      }
    });
  });
});

/** What only a conversion refuses: each version takes the value by itself. */
const conversions = new Set(["neg-part03-base64", "neg-sec10-location", "neg-card10-nolegacy"]);

describe("negative vectors", () => {
  const vectors = (load("negative.json") as readonly Negative[]).filter(({ id }) => !conversions.has(id));

  it.each(vectors)("$id: $code", ({ from, type, input, code }) => {
    for (const mode of ["strict", "tolerant"] as const) {
      const direction = code === -32006 ? "reply" : "request";
      expect(errorOf(() => decode(tableOf(from, type), input, { direction, mode: modeOf(mode) })).code).toBe(
        code,
      );
    }
  });
});
