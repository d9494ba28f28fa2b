import fc from "fast-check";
import { emitVectors } from "../../../codegen/emit/vectors.js";
import type { Decl, Type } from "../../../codegen/ir/types.js";
import { parseProto } from "../../../codegen/load/proto.js";
import { decode } from "../../../src/codec/decode.js";
import { encodeMessage } from "../../../src/protobuf/encode-message.js";
import { canonical } from "../../codec/arbitrary.js";
import { asWritten } from "../../protobuf/as-written.js";
import type { Spoken, SpokenMessage } from "../../protobuf/messages.js";

/** A message in both its forms, as we write it. */
export interface Sample {
  readonly id: string;
  readonly message: string;
  /** Canonical JSON, with the keys of its maps in the order that a deterministic writer gives them. */
  readonly json: string;
  readonly bytes: string;
}

/** Samples of every message that the official proto has: all its generated vectors, and more that follow from a seed. */
export function samplesOf(version: Spoken, proto: string, more: number, seed: number): readonly Sample[] {
  const vectors = emitVectors(version.model);
  const official = parseProto(proto);
  const isThere = (message: string, field: string): boolean =>
    official.messages.some(
      ({ name, fields }) => name === message && fields.some(({ json }) => json === field),
    );
  return version.messages.flatMap((message): Sample[] => {
    if (!official.messages.some(({ name }) => name === message.name)) return [];
    const values = [
      ...valid(message, vectors.get(`${message.name}.json`) ?? "[]"),
      ...random(message, more, seed),
    ];
    return values.flatMap(({ id, value }) => {
      const written = asWritten(version.model, message.name, value);
      const sorted = shared(version.model.decls, message.name, written, isThere);
      // The order of such keys is not that of the text in JavaScript.
      const json = JSON.stringify(sorted);
      if (/"\d+":/.test(json)) return [];
      const bytes = Buffer.from(encodeMessage(message.wire, JSON.parse(json))).toString("hex");
      return [{ id: `${message.name} ${id}`, message: message.name, json, bytes }];
    });
  });
}

interface Value {
  readonly id: string;
  readonly value: unknown;
}

const valid = ({ table }: SpokenMessage, text: string): readonly Value[] =>
  (JSON.parse(text) as readonly (Value & { readonly valid: boolean })[])
    .filter(({ valid: isValid }) => isValid)
    .map(({ id, value }) => ({ id, value: decode(table, value, { direction: "request", keepZero: true }) }));

const random = ({ table }: SpokenMessage, count: number, seed: number): readonly Value[] =>
  count === 0
    ? []
    : fc
        .sample(canonical(table), { numRuns: count, seed })
        .map((value, index) => ({ id: `random ${String(index)}`, value }));

/** The value without what the official proto lacks, keys of maps and free objects in the order of their bytes. */
function shared(
  all: readonly Decl[],
  name: string,
  value: unknown,
  isThere: (message: string, field: string) => boolean,
): unknown {
  const one = (type: Type, given: unknown): unknown => {
    if (type.kind === "array") return (given as readonly unknown[]).map((item) => one(type.of, item));
    if (type.kind === "map") return sorted(given, (item) => one(type.of, item));
    return type.kind === "ref" ? named(type.name, given) : free(given);
  };
  const named = (wanted: string, given: unknown): unknown => {
    const decl = all.find((candidate) => candidate.name === wanted);
    if (decl?.kind !== "object") return given;
    const members = given as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      decl.fields.flatMap((field) =>
        members[field.name] === undefined || !isThere(wanted, field.name)
          ? []
          : [[field.name, one(field.type, members[field.name])]],
      ),
    );
  };
  return named(name, value);
}

const free = (given: unknown): unknown => {
  if (Array.isArray(given)) return given.map(free);
  return typeof given === "object" && given !== null ? sorted(given, free) : given;
};

const sorted = (given: unknown, each: (item: unknown) => unknown): unknown =>
  Object.fromEntries(
    Object.entries(given as object)
      .sort(([a], [b]) => inOrder(Buffer.from(a), Buffer.from(b)))
      .map(([key, item]) => [key, each(item)]),
  );

/** The order of a deterministic writer: by bytes, but a key before one that it starts with. */
function inOrder(a: Buffer, b: Buffer): number {
  const common = Math.min(a.length, b.length);
  return Buffer.compare(a.subarray(0, common), b.subarray(0, common)) || b.length - a.length;
}
