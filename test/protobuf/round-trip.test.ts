import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emitVectors } from "../../codegen/emit/vectors.js";
import { decode } from "../../src/codec/decode.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { canonical } from "../codec/arbitrary.js";
import { asWritten } from "./as-written.js";
import { messageOf, spoken, type Spoken, type SpokenMessage } from "./messages.js";

/** A value that is a message of a version. */
interface Case {
  readonly version: string;
  readonly message: string;
  readonly id: string;
  readonly value: unknown;
}
interface Vector {
  readonly id: string;
  readonly valid: boolean;
  readonly value: unknown;
}

const folder = new URL("../vectors/", import.meta.url);
const load = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

const vectors10: ReadonlyMap<string, string> = new Map(
  readdirSync(new URL("v1.0/", folder)).map((file) => [file, JSON.stringify(load(`v1.0/${file}`))]),
);
const vectorsOf = ({ name, model }: Spoken): ReadonlyMap<string, string> =>
  name === "1.0" ? vectors10 : emitVectors(model);

/** The generated vectors: those of 1.0 as they are committed, those of a form as codegen would write them. */
const generated = spoken.flatMap((version): Case[] =>
  [...vectorsOf(version)].flatMap(([file, text]) => {
    const message = file.replace(/\.json$/, "");
    if (!version.messages.some(({ name }) => name === message)) return [];
    const vectors = JSON.parse(text) as readonly Vector[];
    return vectors
      .filter(({ valid }) => valid)
      .map(({ id, value }) => ({ version: version.name, message, id, value }));
  }),
);

interface Conversion {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly schemas: { readonly input: string; readonly expected: string };
  readonly input: unknown;
  readonly expected: unknown;
}
interface Report {
  readonly id: string;
  readonly version: string;
  readonly type: string;
  readonly mode?: string;
  readonly input: unknown;
  readonly expectation: string;
}

/** Values of 1.0 and of the form of 0.3 in the shared vectors; the others are JSON of other shapes, or of sloppy peers. */
const shared: readonly Case[] = [
  ...(load("shared/conversion.json") as readonly Conversion[])
    .flatMap((one) => [
      ...(one.from.startsWith("1.0") ? [{ id: one.id, message: one.schemas.input, value: one.input }] : []),
      ...(one.to.startsWith("1.0")
        ? [{ id: one.id, message: one.schemas.expected, value: one.expected }]
        : []),
    ])
    .map((one) => ({ ...one, version: "1.0" })),
  ...(load("shared/field-reports.json") as readonly Report[]).flatMap((one) => {
    const version = one.version === "0.3-proto" ? "0.3/proto" : one.version;
    const isValid =
      one.expectation !== "invalid" &&
      one.mode !== "tolerant" &&
      (version === "1.0" || version === "0.3/proto");
    return isValid ? [{ id: one.id, message: one.type, value: one.input, version }] : [];
  }),
].filter(({ version, message }) =>
  spoken.some(({ name, messages }) => name === version && messages.some((one) => one.name === message)),
);

const modelOf = (version: string) => {
  const found = spoken.find(({ name }) => name === version);
  if (found === undefined) throw new Error(`no version ${version}`);
  return found.model;
};

/** The value through bytes; what comes back is canonical. */
function through({ wire, table }: SpokenMessage, value: unknown): unknown {
  const bytes = encodeMessage(wire, value);
  const back = decodeMessage(wire, bytes);
  expect(decode(table, back, { direction: "request", keepZero: true })).toBe(back);
  expect(encodeMessage(wire, back)).toEqual(bytes);
  return back;
}

describe("every vector through bytes is its canonical JSON", () => {
  it("there are vectors of every message that has a value", () => {
    for (const { name, messages } of spoken) {
      const seen = new Set(generated.filter(({ version }) => version === name).map(({ message }) => message));
      expect(messages.map((message) => message.name).filter((message) => !seen.has(message))).toEqual([]);
    }
    expect(generated.length).toBeGreaterThan(1_000);
    expect(shared.length).toBeGreaterThan(90);
  });

  it.each(spoken.map(({ name }) => name))("of %s, generated", (name) => {
    for (const { version, message, id, value } of generated) {
      if (version !== name) continue;
      const one = messageOf(version, message);
      const read = decode(one.table, value, { direction: "request", keepZero: true });
      expect(through(one, read), `${message} ${id}`).toEqual(asWritten(modelOf(version), message, read));
    }
  });

  it("shared", () => {
    for (const { version, message, id, value } of shared) {
      const one = messageOf(version, message);
      const read = decode(one.table, value, { direction: "request", keepZero: true });
      expect(through(one, read), id).toEqual(asWritten(modelOf(version), message, read));
    }
  });
});

const all = spoken.flatMap(({ name, messages }) =>
  messages.map((message) => ({ version: name, name: message.name, message })),
);

describe("any canonical value through bytes is itself", () => {
  it.each(all)("$version $name", ({ version, name, message }) => {
    const model = modelOf(version);
    fc.assert(
      fc.property(canonical(message.table), (value) => {
        const before = JSON.stringify(value);
        expect(through(message, value)).toEqual(asWritten(model, name, value));
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 30 },
    );
  });
});
