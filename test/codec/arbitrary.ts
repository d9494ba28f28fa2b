import fc from "fast-check";
import type { ObjectRule, Rule } from "../../src/descriptor.js";

/** Canonical values of a rule: what `decode` must return as they came. */
export function canonical(rule: Rule): fc.Arbitrary<unknown> {
  switch (rule.is) {
    case "string":
      return rule.blank === undefined ? fc.string() : fc.string({ minLength: 1 });
    case "boolean":
      return fc.boolean();
    case "int32":
      return fc.integer();
    case "int64":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    case "integer":
      return fc.maxSafeInteger();
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "bytes":
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    case "timestamp":
      return fc
        .tuple(
          fc.date({
            min: new Date("0001-01-02T00:00:00Z"),
            max: new Date("9999-12-30T00:00:00Z"),
            noInvalidDate: true,
          }),
          fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }),
        )
        .map(
          ([date, digits]) =>
            `${date.toISOString().slice(0, 19)}${digits === undefined ? "" : `.${digits}`}Z`,
        );
    case "null":
      return fc.constant(null);
    case "json":
      return fc.jsonValue({ maxDepth: 3 });
    case "struct":
      return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    case "literal":
      return fc.constant(rule.value);
    case "enum":
      return fc.constantFrom(...rule.values.filter((_, index) => rule.numbers?.[index] !== 0));
    case "list":
      return fc.array(canonical(rule.of), { minLength: rule.min ?? 0, maxLength: 3 });
    case "map":
      return fc.dictionary(fc.string(), canonical(rule.of), { maxKeys: 3 });
    case "object":
      return canonicalObject(rule);
    case "tagged":
      return fc.oneof(...Object.values(rule.variants).map(canonical));
    case "choice":
      return fc.oneof(...rule.variants.map(([, of]) => canonical(of)));
    case "anyOf":
      return fc.oneof(...rule.of.map(canonical));
  }
}

function canonicalObject(rule: ObjectRule): fc.Arbitrary<unknown> {
  const grouped = new Set(rule.oneofs?.flatMap(({ members }) => members));
  const free = Object.keys(rule.fields).filter((name) => !grouped.has(name));
  const field = (name: string): fc.Arbitrary<unknown> => {
    const of = rule.fields[name];
    if (of === undefined) throw new Error(`The rule has no field ${name}`);
    return canonical(of);
  };
  const record = fc.record(Object.fromEntries(free.map((name) => [name, field(name)])), {
    requiredKeys: free.filter((name) => rule.required?.includes(name)),
    noNullPrototype: true,
  });
  const groups = (rule.oneofs ?? []).map(({ members, required }) => {
    const one = fc.oneof(...members.map((name) => field(name).map((value) => ({ [name]: value }))));
    return required ? one : fc.oneof(fc.constant({}), one);
  });
  return fc.tuple(record, ...groups).map((parts) => Object.assign({}, ...parts) as unknown);
}
