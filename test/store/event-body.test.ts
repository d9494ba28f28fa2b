/** The events of one commit as one text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEvents, encodeEvents, encodeFramedEvents } from "../../src/store/sql/event-body.js";
import type { EventFrame, StoredEvent } from "../../src/store/types.js";
import { TextFrame } from "../../src/task/text-frame.js";
import { TextRecord } from "../../src/task/text-record.js";

const frames: readonly (EventFrame | undefined)[] = [
  undefined,
  { head: '{"a":1,"x":', tail: "}" },
  { head: "[", tail: ':+,"]' },
  { head: "", tail: "" },
];
const text = fc.string({ unit: "grapheme" });

/** Events from revision 5 on, framed or not. */
const events = fc.array(fc.tuple(text, fc.nat(frames.length - 1)), { minLength: 1 }).map((made) =>
  made.map(([part, i], at): StoredEvent => {
    const frame = frames[i];
    if (frame === undefined) return { n: at + 5, text: part };
    return { n: at + 5, text: frame.head + part + frame.tail, frame, part };
  }),
);

describe.each([
  ["each text in full", encodeEvents],
  ["what is around the texts once", encodeFramedEvents],
])("%s", (_, encode) => {
  test("is read back, all of it or what came after a revision, with the size of what was read", () => {
    fc.assert(
      fc.property(events, fc.nat(120), (written, after) => {
        const read: StoredEvent[] = [];
        const size = decodeEvents(encode(written), 5, after, read);
        const wanted = written.filter(({ n }) => n > after).map(({ n, text }) => ({ n, text }));
        expect(read).toEqual(wanted);
        expect(size).toBe(wanted.reduce((sum, { text }) => sum + text.length, 0));
      }),
    );
  });
});

test("a hundred texts of a handler take little more room than the texts", () => {
  const frame = new TextFrame("t1", "c1", "a");
  const records = Array.from({ length: 100 }, (_, i) => new TextRecord(i + 1, `word ${String(i)}\n`, frame));
  const body = encodeFramedEvents(records);
  const texts = records.reduce((sum, { part }) => sum + part.length, 0);
  expect(body.length - texts).toBeLessThan(100 * 4 + 200);
  const read: StoredEvent[] = [];
  decodeEvents(body, 1, 0, read);
  expect(read.map(({ text }) => text)).toEqual(records.map(({ text }) => text));
});

// Bodies lie in databases. Where this fails, what is there can be read no more: that takes a migration.
test.each([
  ["each text in full", encodeEvents, '7,16,15,2\n{"n":5}{"text":"a\\n+3"}{"text":"1:2,"}{}'],
  ["what is around the texts once", encodeFramedEvents, '7,8:1,+7,+6,2\n{"n":5}{"text":}"a\\n+3""1:2,"{}'],
])("%s: a body as it lies in databases", (_, encode, body) => {
  const frame = { head: '{"text":', tail: "}" };
  const framed = ["a\n+3", "1:2,"].map((text) => JSON.stringify(text));
  const written: StoredEvent[] = [
    { n: 5, text: '{"n":5}' },
    ...framed.map((part, i) => ({ n: i + 6, text: `{"text":${part}}`, frame, part })),
    { n: 8, text: "{}" },
  ];
  expect(encode(written)).toBe(body);
  const read: StoredEvent[] = [];
  decodeEvents(body, 5, 0, read);
  expect(read).toEqual(written.map(({ n, text }) => ({ n, text })));
});
