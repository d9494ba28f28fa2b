import { describe, expect, it } from "vitest";
import * as ajv from "../../generated/v1.0/validators.js";
import * as zod from "../../generated/v1.0/zod.js";
import { fieldCases } from "./cases.js";

/** What the published validators cannot see: they check the canonical form of one value, and nothing around it. */
const beyond: Record<string, string> = {
  B006e: "a second spelling of a field is an unknown member to them",
  B039a: "the shorthand of a security requirement is an unknown member to them",
  B044a: "TASK_STATE_UNSPECIFIED is a value of the enum; that it means unset is a rule of decoding",
  B092b: "ranges belong to the operation",
  B092c: "ranges belong to the operation",
  B092d: "ranges belong to the operation",
  B095: "a token is checked by the store that made it",
};

type Guards = Record<string, ((value: unknown) => boolean) | undefined>;
type Schemas = Record<string, { safeParse(value: unknown): { success: boolean } } | undefined>;

const guardOf = (type = "") => (ajv as unknown as Guards)[`is${type}`];
const schemaOf = (type = "") => (zod as unknown as Schemas)[type];

const judged = fieldCases.filter(
  ({ version, type, mode, expectation }) =>
    version === "1.0" && guardOf(type) !== undefined && mode !== "tolerant" && expectation !== "decodes_to",
);

describe("the ajv and zod validators of 1.0", () => {
  it.each(judged)("$id: $expectation, $why", ({ id, type, input, expectation }) => {
    const valid = expectation === "valid" || Object.hasOwn(beyond, id);
    expect([guardOf(type)?.(input), schemaOf(type)?.safeParse(input).success]).toEqual([valid, valid]);
  });
});
