import fc from "fast-check";
import type { ObjectRule, Rule } from "../../src/descriptor.js";

/** Values that a field of some kind and name is given every other time: an API key's `location`, say. */
export type Hints = Readonly<Partial<Record<Rule["is"], Readonly<Record<string, fc.Arbitrary<unknown>>>>>>;

/** Canonical values of a rule: what `decode` must return as they came. Without recursive rules they always end. */
export function canonical(rule: Rule, hints: Hints = {}): fc.Arbitrary<unknown> {
  // Parts and states stand in many places: one arbitrary per rule.
  const made = new Map<Rule, fc.Arbitrary<unknown>>();
  const of = (one: Rule): fc.Arbitrary<unknown> => {
    const known = made.get(one) ?? build(one);
    made.set(one, known);
    return known;
  };
  const build = (one: Rule): fc.Arbitrary<unknown> => {
    switch (one.is) {
      case "string":
        return one.blank === undefined ? text() : text(1);
      case "literal":
        return fc.constant(one.value);
      case "enum":
        return fc.constantFrom(...one.values.filter((_, index) => one.numbers?.[index] !== 0));
      case "list":
        return fc.array(of(one.of), { minLength: one.min ?? 0, maxLength: 3 });
      case "map":
        return fc.dictionary(text(), of(one.of), { maxKeys: 3 });
      case "object":
        return object(one);
      case "tagged":
        return fc.oneof(...Object.values(one.variants).map(of), ...others(one.otherwise));
      case "choice":
        return fc.oneof(...one.variants.map(([, variant]) => of(variant)), ...others(one.otherwise));
      case "anyOf":
        return fc.oneof(...one.of.map(of));
      default:
        return scalar(one.is);
    }
  };
  const others = (otherwise: Rule | undefined): fc.Arbitrary<unknown>[] =>
    otherwise === undefined ? [] : [of(otherwise)];
  const object = (one: ObjectRule): fc.Arbitrary<unknown> => {
    const grouped = new Set(one.oneofs?.flatMap(({ members }) => members));
    const free = Object.keys(one.fields).filter((name) => !grouped.has(name));
    const field = (name: string): fc.Arbitrary<unknown> => {
      const known = one.fields[name];
      if (known === undefined) throw new Error(`The rule has no field ${name}`);
      const named = hints[known.is] ?? {};
      const hint = Object.hasOwn(named, name) ? named[name] : undefined;
      return hint === undefined ? of(known) : fc.oneof(of(known), hint);
    };
    const record = fc.record(Object.fromEntries(free.map((name) => [name, field(name)])), {
      requiredKeys: free.filter((name) => one.required?.includes(name)),
      noNullPrototype: true,
    });
    const groups = (one.oneofs ?? []).map(({ members, required }) => {
      const member = fc.oneof(...members.map((name) => field(name).map((value) => ({ [name]: value }))));
      return required ? member : fc.oneof(fc.constant({}), member);
    });
    if (groups.length === 0) return record;
    return fc.tuple(record, ...groups).map((parts) => Object.assign({}, ...parts) as unknown);
  };
  return of(rule);
}

/** Text of any script, emoji and the empty string included; most of it short and plain. */
function text(minLength = 0): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.string({ minLength, maxLength: 12 }), weight: 3 },
    { arbitrary: fc.string({ minLength, maxLength: 6, unit: "grapheme" }), weight: 1 },
  );
}

function scalar(kind: string): fc.Arbitrary<unknown> {
  switch (kind) {
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
      return timestamp();
    case "null":
      return fc.constant(null);
    case "json":
      return fc.jsonValue({ maxDepth: 3 });
    case "struct":
      return fc.dictionary(text(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    default:
      throw new Error(`No values are known for ${kind}`);
  }
}

/** Instants as ProtoJSON writes them: UTC, with up to nine digits of a second. */
export function timestamp(): fc.Arbitrary<string> {
  const [min, max] = [new Date("0001-01-02T00:00:00Z"), new Date("9999-12-30T00:00:00Z")];
  const digits = fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined });
  return fc
    .tuple(fc.date({ min, max, noInvalidDate: true }), digits)
    .map(
      ([date, fraction]) =>
        `${date.toISOString().slice(0, 19)}${fraction === undefined ? "" : `.${fraction}`}Z`,
    );
}
