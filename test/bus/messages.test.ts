import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMessage } from "../../src/bus/decode-message.js";
import { encodeMessage, encodeNews } from "../../src/bus/encode-news.js";
import { MessageQueue } from "../../src/bus/message-queue.js";
import { Senders } from "../../src/bus/senders.js";
import type { News } from "../../src/bus/types.js";

const name = fc.string({ minLength: 1, unit: "grapheme" });
const news: fc.Arbitrary<News> = fc
  .record({
    taskId: name,
    revision: fc.integer({ min: 10, max: 1e9 }),
    texts: fc.array(fc.string({ maxLength: 3_000, unit: "grapheme" }), { maxLength: 5 }),
    letter: fc.option(name),
    answered: fc.option(name),
  })
  .map(({ taskId, revision, texts, letter, answered }) => ({
    taskId,
    revision,
    ...(texts.length > 0 && {
      events: texts.map((text, i) => ({ n: revision - texts.length + 1 + i, text })),
    }),
    ...(letter !== null && { letter }),
    ...(answered !== null && { answered }),
  }));

/** What arrives of messages, with their numbers. */
function arrived(texts: readonly string[]): { seqs: number[]; news: News[] } {
  const seqs: number[] = [];
  const all: News[] = [];
  for (const text of texts) {
    const message = decodeMessage(text);
    if (typeof message === "string") throw new Error(message);
    seqs.push(message.seq);
    all.push(...message.news);
  }
  return { seqs, news: all };
}

describe("messages of a bus", () => {
  test("hold all news in order within the limit, long ones without their events", () => {
    fc.assert(
      fc.property(fc.array(news, { maxLength: 40 }), fc.integer({ min: 1_024, max: 9_000 }), (all, limit) => {
        const queue = new MessageQueue("me", limit);
        queue.add(all);
        const texts: string[] = [];
        while (queue.pending) texts.push(...queue.take());
        for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        const { seqs, news } = arrived(texts);
        expect(seqs).toEqual(seqs.map((_, i) => i + 1));
        const fits = (one: News): boolean => Buffer.byteLength(JSON.stringify(one)) <= limit - 128;
        const bare = ({ events: _, ...rest }: News): News => rest;
        expect(news).toEqual(all.map((one) => (fits(one) ? one : bare(one))).filter(fits));
      }),
      { numRuns: 300 },
    );
  });

  test("texts of events may be getters", () => {
    class Lazy {
      readonly n = 1;
      get text(): string {
        return "late";
      }
    }
    const encoded = encodeNews({ taskId: "t", revision: 1, events: [new Lazy()] }, 1_000);
    expect(arrived([encodeMessage("me", 1, [encoded?.text ?? ""])]).news).toEqual([
      { taskId: "t", revision: 1, events: [{ n: 1, text: "late" }] },
    ]);
  });

  test("leave out a number where news were dropped", () => {
    const queue = new MessageQueue("me", 1_024);
    queue.add([{ taskId: "a" }]);
    expect(arrived(queue.take()).seqs).toEqual([1]);
    queue.skip();
    queue.add([{ taskId: "b" }]);
    expect(arrived(queue.take()).seqs).toEqual([3]);
    queue.add([{ taskId: "i".repeat(1_024) }]);
    expect(queue.pending).toBe(true);
    expect(arrived(queue.take())).toEqual({ seqs: [5], news: [] });
    const bad = {
      n: 1,
      get text(): string {
        throw new Error("no text");
      },
    };
    queue.add([{ taskId: "t", revision: 1, events: [bad] }]);
    expect(arrived(queue.take())).toEqual({ seqs: [7], news: [] });
    queue.add(Array.from({ length: 100_000 }, (_, i) => ({ taskId: String(i) })));
    const kept: News[] = [];
    while (queue.pending) kept.push(...arrived(queue.take()).news);
    expect(kept).toHaveLength(4_096);
    queue.add([{ taskId: "c" }]);
    queue.drop();
    expect(arrived(queue.take()).news).toEqual([]);
    expect(queue.pending).toBe(false);
  });

  test.each([
    ["no JSON", "{", "damaged"],
    ["no object", "[1]", "damaged"],
    ["no version", '{"from":"x","seq":1,"news":[]}', "damaged"],
    ["a later version", '{"v":2,"what":"ever"}', "foreign"],
    ["no sender", '{"v":1,"from":"","seq":1,"news":[]}', "damaged"],
    ["a number of 0", '{"v":1,"from":"x","seq":0,"news":[]}', "damaged"],
    ["a fraction", '{"v":1,"from":"x","seq":1.5,"news":[]}', "damaged"],
    ["no news", '{"v":1,"from":"x","seq":1}', "damaged"],
    ["no task", '{"v":1,"from":"x","seq":1,"news":[{}]}', "damaged"],
    ["null", '{"v":1,"from":"x","seq":1,"news":[null]}', "damaged"],
    ["a revision as text", '{"v":1,"from":"x","seq":1,"news":[{"taskId":"t","revision":"1"}]}', "damaged"],
    ["events without revision", '{"v":1,"from":"x","seq":1,"news":[{"taskId":"t","events":[]}]}', "damaged"],
    [
      "events that end before the revision",
      '{"v":1,"from":"x","seq":1,"news":[{"taskId":"t","revision":3,"events":[{"n":2,"text":""}]}]}',
      "damaged",
    ],
    [
      "an event without text",
      '{"v":1,"from":"x","seq":1,"news":[{"taskId":"t","revision":2,"events":[{"n":2}]}]}',
      "damaged",
    ],
    ["a letter that is none", '{"v":1,"from":"x","seq":1,"news":[{"taskId":"t","letter":1}]}', "damaged"],
  ])("are read strictly: %s", (_, text, verdict) => {
    expect(decodeMessage(text)).toBe(verdict);
  });

  test("members that are not known do no harm", () => {
    const text = '{"v":1,"from":"x","seq":1,"more":1,"news":[{"taskId":"t","more":1}]}';
    expect(decodeMessage(text)).toMatchObject({ from: "x", seq: 1, news: [{ taskId: "t" }] });
  });
});

describe("numbers of senders", () => {
  test("tell what is missing, and what came late", () => {
    const senders = new Senders();
    expect(senders.note("a", 1)).toBe("next");
    expect(senders.note("b", 5)).toBe("gap");
    expect(senders.note("a", 2)).toBe("next");
    expect(senders.note("a", 2)).toBe("old");
    expect(senders.note("a", 1)).toBe("old");
    expect(senders.note("a", 4)).toBe("gap");
    expect(senders.note("b", 6)).toBe("next");
  });

  test("are forgotten of those who were silent the longest", () => {
    const senders = new Senders();
    for (let i = 0; i < 1_000; i += 1) senders.note(String(i), 1);
    senders.note("0", 2);
    senders.note("one more", 1);
    expect(senders.note("0", 3)).toBe("next");
    expect(senders.note("1", 2)).toBe("gap");
  });
});
