import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Vector } from "../../codegen/emit/vector.js";
import type { Model } from "../../codegen/ir/types.js";
import { haveOfficial, officialDir } from "./official-files.js";
import { officialValidators } from "./official-validators.js";

const strict = "decision 10: an empty text is no id, no URL and no scheme; the official files accept it";
const required =
  "1.x: the official bundle has no required lists; REQUIRED is stated in the proto (overlay, proto.json)";
const oneof = "1.x: the official bundle has no oneofs; they are stated in the proto";
const base64 = "0.x: the official file says `string`; the text of the specification says base64 (overlay)";
const present =
  "0.x: `anyOf` lets a member of the wrong type pass as an unknown one of another form; the member that is there tells the forms apart";
const twice = "a bundle cannot say that two spellings exclude each other";

/** Why our rules and the official file say different things about a vector; by the rule in its id. */
const REASONS: Record<string, Record<string, string>> = {
  "v0.2": {
    blank: strict,
    base64,
    "choice-two":
      "0.x: `anyOf` lets a file be bytes and URI at once; the specification says one of them (overlay)",
    "present-type": present,
  },
  "v0.3": {
    blank: strict,
    base64,
    "choice-two":
      "0.x: `anyOf` lets a file be bytes and URI at once; the specification says one of them (overlay)",
    "present-type": present,
  },
  "v1.0": {
    blank: strict,
    required,
    "empty-list": required,
    "oneof-two": oneof,
    "oneof-none": oneof,
    "alias-twice": twice,
    "unknown-member":
      '`additionalProperties: false` everywhere contradicts "ignore unknown fields" of the specification',
    null: "ProtoJSON reads null as absent, which the bundle forgets",
    "base64-url": "ProtoJSON reads both alphabets, the pattern of the bundle only one",
    "enum-unset": "the official enums have UNSPECIFIED; REQUIRED rules it out",
  },
};

/** Types that the official file has no schema of: inlined enums and google.protobuf.Empty. */
const UNNAMED: Record<string, readonly string[]> = {
  "v0.2": [],
  "v0.3": ["Empty"],
  "v1.0": ["Empty", "Role", "TaskState"],
};

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));

describe.runIf(haveOfficial("official agreement")).each(Object.entries(REASONS))(
  "vectors of %s",
  (line, reasons) => {
    const model = read(`generated/${line}/ir.json`) as Model;
    const types = readdirSync(new URL(`../vectors/${line}/`, import.meta.url)).map((name) =>
      name.replace(/\.json$/, ""),
    );

    it("mean the same to a runtime Ajv on the official schema, or there is a reason why not (A2A-1.4-c)", () => {
      const official = officialValidators(officialDir ?? "", model.release);
      const used = new Set<string>();
      const unnamed: string[] = [];
      const unexplained: string[] = [];
      for (const type of types) {
        const pointer = model.decls.find(({ name }) => name === type)?.pointer ?? "";
        const validate = official(pointer);
        if (validate === undefined) {
          unnamed.push(type);
          continue;
        }
        for (const { id, value, valid } of read(`test/vectors/${line}/${type}.json`) as Vector[]) {
          if (validate(value) === valid) continue;
          const rule = id.split("/")[0] ?? "";
          if (reasons[rule] === undefined) unexplained.push(`${type}: ${id}`);
          used.add(rule);
        }
      }
      expect(unexplained).toEqual([]);
      expect([...used].sort()).toEqual(Object.keys(reasons).sort());
      expect(unnamed).toEqual(UNNAMED[line]);
    });
  },
);
