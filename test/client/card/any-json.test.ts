import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isA2AError } from "a2a-typed";
import { readAgentCard, type ReadCard } from "a2a-typed/client";
import { A2A } from "a2a-typed/v1";
import { decode } from "../../../src/codec/decode.js";
import { cardFiles, cardText } from "../../cards/cards.js";

type Node = Record<string, unknown> | unknown[];

const cards = cardFiles.map((file) => JSON.parse(cardText(file)) as Node);

/** Paths of all values in a document. */
const pathsOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value === "object" && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
    : [path];

/** The document with another value at one place, or with one more member there. */
function changed(document: Node, path: readonly string[], value: unknown, name: string): unknown {
  const copy = structuredClone(document);
  let at: Node = copy;
  for (const step of path.slice(0, -1)) at = Reflect.get(at, step) as Node;
  const last = path.at(-1);
  const target: unknown = last === undefined ? copy : Reflect.get(at, last);
  if (name !== "" && typeof target === "object" && target !== null) Reflect.set(target, name, value);
  else if (last === undefined) return value;
  else Reflect.set(at, last, value);
  return copy;
}

/** Members that mean something in some version. */
const names = [
  "url",
  "supportedInterfaces",
  "additionalInterfaces",
  "protocolVersion",
  "protocolBinding",
  "security",
  "securityRequirements",
  "securitySchemes",
  "schemes",
  "flows",
  "type",
  "capabilities",
  "extensions",
  "signatures",
  "tenant",
  "__proto__",
  "constructor",
];
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, "", [], {}, [{}], [null], "https://a.example.com", "/x", "1.0", { type: "oauth2" }),
);
const documents = fc
  .tuple(fc.constantFrom(...cards), fc.nat(), strange, fc.constantFrom("", ...names))
  .map(([card, nth, value, name]) => {
    const paths = pathsOf(card);
    return changed(card, paths[nth % paths.length] ?? [], value, name);
  });

/** The card, or undefined where it was refused as one must be. */
function readOr(document: unknown): ReadCard | undefined {
  try {
    return readAgentCard(JSON.stringify(document), { url: "https://host.example.com/card.json" });
  } catch (error) {
    if (!isA2AError(error, "DECODE")) throw error;
    expect(error.message.length).toBeLessThan(2_000);
    return undefined;
  }
}

describe("whatever is found at the address of a card", () => {
  it("is offered in the card as it is called, also where its version is empty", () => {
    const card = JSON.parse(cardText("card-36-v0.3-clean.json")) as object;
    const { interfaces, card: read } = readAgentCard({ ...card, protocolVersion: "" });
    expect(interfaces).toMatchObject([{ protocolVersion: "0.3", assumed: true, usable: true }]);
    expect(read.supportedInterfaces).toMatchObject([{ protocolVersion: "0.3" }]);
  });

  it("is a card that can be used, or is refused", () => {
    let read = 0;
    fc.assert(
      fc.property(documents, (document) => {
        const result = readOr(document);
        if (result === undefined) return;
        read++;
        const { securitySchemes: _, ...card } = result.card;
        expect(decode<unknown>(A2A.card.table, card, { direction: "reply" })).toEqual(card);
        expect(result.interfaces.some(({ usable }) => usable)).toBe(true);
        expect(result.document).toEqual(JSON.parse(JSON.stringify(document)));
        for (const { pointer, code, message } of result.problems) {
          expect(pointer === "" || pointer.startsWith("/")).toBe(true);
          expect(`${code} ${message}`).toMatch(/^[a-z_]+ \S/);
        }
        // Where something was required, something still is.
        const required = [
          (document as Record<string, unknown>)["security"],
          (document as Record<string, unknown>)["securityRequirements"],
        ];
        const named = required.some(
          (list) => Array.isArray(list) && list.length > 0 && list.every((one) => isFilled(one)),
        );
        if (named)
          expect((card.securityRequirements ?? []).some((one) => !isFilled(one.schemes))).toBe(false);
      }),
      { numRuns: 1_500 },
    );
    expect(read).toBeGreaterThan(150);
  }, 60_000);

  it("is refused where it is any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(readOr(value)).toBeUndefined();
      }),
    );
  });
});

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0 && !("schemes" in value);
