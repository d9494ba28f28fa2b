import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "../../../src/codec/decode.js";
import { tables, guards } from "./versions.js";
import { valid } from "./arbitrary.js";

/** The properties of conversion rest on these values: here their values are held against tables and validators. */
describe.each(Object.entries(tables))("arbitrary values of %s", (version, types) => {
  it.each(Object.entries(types))(
    "%s: tables take them as they are, and validators accept them",
    (name, table) => {
      const guard = guards[version]?.[`is${name}`];
      fc.assert(
        fc.property(valid(table), (value) => {
          expect(decode(table, value, { direction: "request" })).toBe(value);
          expect(decode(table, value, { direction: "reply" })).toBe(value);
          if (guard !== undefined && !guard(value)) throw new Error(JSON.stringify(guard.errors));
        }),
        { numRuns: 25 },
      );
    },
  );
});
