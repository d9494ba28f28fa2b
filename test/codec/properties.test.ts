import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, type DecodeOptions } from "../../src/codec/decode.js";
import { fromQuery, toQuery } from "../../src/codec/query.js";
import { tolerant } from "../../src/codec/tolerant.js";
import type { Table } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";
import * as v1 from "../../generated/v1.0/tables.js";
import { canonical } from "./arbitrary.js";
import { disguise } from "./disguise.js";

const tables: readonly (readonly [string, Table<unknown>])[] = [
  ["SendMessageRequest", v1.SendMessageRequest],
  ["StreamResponse", v1.StreamResponse],
  ["ListTasksRequest", v1.ListTasksRequest],
  ["ListTasksResponse", v1.ListTasksResponse],
  ["AgentCard", v1.AgentCard],
];
const ways: readonly DecodeOptions[] = [
  { direction: "request" },
  { direction: "reply" },
  { direction: "request", mode: tolerant },
  { direction: "reply", mode: tolerant },
];
const few = { numRuns: 60 };

describe.each(tables)("%s", (_, table) => {
  const values = canonical(table);

  it("a canonical value comes back as the same object, untouched", () => {
    fc.assert(
      fc.property(values, fc.constantFrom(...ways), (value, options) => {
        const before = JSON.stringify(value);
        expect(decode(table, value, options)).toBe(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
      few,
    );
  });

  it("every other spelling comes back as the canonical value, and decoding twice is decoding once", () => {
    fc.assert(
      fc.property(
        values,
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom(...ways),
        (value, tosses, options) => {
          const other = disguise(table, value, () => tosses.next().value === true);
          const before = JSON.stringify(other);
          const read = decode(table, other, options);
          expect(read).toEqual(value);
          expect(decode(table, read, options)).toBe(read);
          expect(JSON.stringify(other)).toBe(before);
        },
      ),
      few,
    );
  });

  it("any JSON value decodes or throws an A2AError with violations, and stays as it was", () => {
    const names = fc.constantFrom(
      "message",
      "parts",
      "text",
      "data",
      "id",
      "status",
      "task",
      "__proto__",
      "kind",
    );
    const junk = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(names, fc.string()), tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(junk, fc.constantFrom(...ways), (value, options) => {
        const before = JSON.stringify(value);
        try {
          decode(table, value, options);
        } catch (error) {
          expect(error).toBeInstanceOf(A2AError);
          expect((error as A2AError).violations?.length).toBeGreaterThan(0);
        }
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("a canonical value with one member broken is refused at that member, or still decodes", () => {
    const junk = fc.constantFrom<unknown>(null, "", "x", 0, -1, 1.5, true, [], {}, [null], { kind: "text" });
    fc.assert(
      fc.property(
        values,
        fc.infiniteStream(fc.nat()),
        junk,
        fc.constantFrom(...ways),
        (value, picks, bad, options) => {
          const copy: unknown = structuredClone(value);
          let at = copy as Record<string, unknown>;
          for (;;) {
            const keys = Object.keys(at);
            const key = keys[picks.next().value % Math.max(keys.length, 1)];
            if (key === undefined) break;
            const next = at[key];
            if (typeof next === "object" && next !== null && picks.next().value % 3 > 0) {
              at = next as Record<string, unknown>;
              continue;
            }
            at[key] = bad;
            break;
          }
          try {
            decode(table, copy, options);
          } catch (error) {
            expect(error).toBeInstanceOf(A2AError);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

it("a query carries what a body carries", () => {
  fc.assert(
    fc.property(canonical(v1.ListTasksRequest), (value) => {
      const query = toQuery(v1.ListTasksRequest, value as object);
      const read = fromQuery(v1.ListTasksRequest, new URLSearchParams(query));
      expect(decode(v1.ListTasksRequest, read, { direction: "request" })).toEqual(value);
    }),
    few,
  );
});
