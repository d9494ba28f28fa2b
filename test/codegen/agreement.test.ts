import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Vector } from "../../codegen/emit/vector.js";
import * as tables02 from "../../generated/v0.2/tables.js";
import * as validators02 from "../../generated/v0.2/validators.js";
import * as zod02 from "../../generated/v0.2/zod.js";
import * as tables03 from "../../generated/v0.3/tables.js";
import * as validators03 from "../../generated/v0.3/validators.js";
import * as zod03 from "../../generated/v0.3/zod.js";
import * as tables10 from "../../generated/v1.0/tables.js";
import * as validators10 from "../../generated/v1.0/validators.js";
import * as zod10 from "../../generated/v1.0/zod.js";
import { decode } from "../../src/codec/decode.js";
import type { Table } from "../../src/descriptor.js";
import { isA2AError } from "../../src/errors.js";

type Guard = (value: unknown) => boolean;

/** What each version's layers say, by type. */
const LINES: Record<string, { tables: object; validators: object; schemas: object }> = {
  "v0.2": { tables: tables02, validators: validators02, schemas: zod02 },
  "v0.3": { tables: tables03, validators: validators03, schemas: zod03 },
  "v1.0": { tables: tables10, validators: validators10, schemas: zod10 },
};

const folder = new URL("../vectors/", import.meta.url);
const vectorsOf = (line: string, type: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`${line}/${type}.json`, folder), "utf8")) as Vector[];
const typesOf = (line: string): string[] =>
  readdirSync(new URL(line, folder)).map((name) => name.replace(/\.json$/, ""));

const accepts = (table: Table<unknown>, value: unknown): boolean => {
  try {
    decode(table, value, { direction: "request" });
    return true;
  } catch (error) {
    if (isA2AError(error, "INVALID_PARAMS")) return false;
    throw error;
  }
};

describe.each(Object.entries(LINES))("the layers of %s agree", (line, { tables, validators, schemas }) => {
  it.each(typesOf(line))("on every vector of %s", (type) => {
    const table = Reflect.get(tables, type) as Table<unknown>;
    const guard = Reflect.get(validators, `is${type}`) as Guard;
    const schema = Reflect.get(schemas, type) as z.ZodType;
    const wrong = vectorsOf(line, type).flatMap(({ id, valid, value, layers }) => {
      const schemaToo = layers === undefined ? valid : !valid;
      const said = {
        table: accepts(table, structuredClone(value)),
        ajv: guard(structuredClone(value)),
        zod: schema.safeParse(structuredClone(value)).success,
      };
      const meant = { table: valid, ajv: schemaToo, zod: schemaToo };
      return JSON.stringify(said) === JSON.stringify(meant) ? [] : [{ id, value, meant, said }];
    });
    expect(wrong).toEqual([]);
  });
});
