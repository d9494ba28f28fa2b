import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2AError, isA2AError } from "../../src/errors.js";
import { createSseReader, type SseEvent } from "../../src/sse/read.js";
import { sseComment, sseEvent } from "../../src/sse/write.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Events of a stream that arrives in these pieces. */
function read(...chunks: (string | Uint8Array)[]): SseEvent[] {
  const reader = createSseReader(A2AError);
  return chunks.flatMap((chunk) => [...reader.push(typeof chunk === "string" ? bytes(chunk) : chunk)]);
}

const data = (events: Iterable<SseEvent>): string[] => Array.from(events, (event) => event.data);

/** Cuts bytes at the given places, given as fractions of the length. */
function cut(input: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((p) => Math.floor(p * input.length)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => input.slice(from, at[i] ?? input.length));
}

describe("the grammar of event streams (A2A-SSE-a)", () => {
  it.each([
    ["LF", "data: 1\n\ndata: 2\n\n"],
    ["CRLF", "data: 1\r\n\r\ndata: 2\r\n\r\n"],
    ["lone CR", "data: 1\r\rdata: 2\r\r"],
    ["a mixture", "data: 1\r\n\ndata: 2\n\r"],
  ])("ends lines with %s", (_, text) => {
    expect(data(read(text))).toEqual(["1", "2"]);
  });

  it("hands out an event that ends with a lone CR at once, not with the next chunk", () => {
    const reader = createSseReader(A2AError);
    expect(data(reader.push(bytes("data: 1\r")))).toEqual([]);
    expect(data(reader.push(bytes("\r")))).toEqual(["1"]);
    expect(data(reader.push(bytes("data: 2\r\r")))).toEqual(["2"]);
  });

  it("takes CR and LF for one line end when a chunk ends between them", () => {
    expect(data(read("data: {\r\n", "data: 1\r", "\ndata: }\r\n", "\r\n"))).toEqual(["{\n1\n}"]);
    expect(data(read("data: 1\r", "\n", "\r", "\ndata: 2\r", "\n\r\n"))).toEqual(["1", "2"]);
    expect(data(read("data: 1\r", "\n", "\n"))).toEqual(["1"]);
  });

  it("joins several data lines with LF and strips one leading space only", () => {
    expect(data(read("data: a\ndata:b\ndata:  c\n\n"))).toEqual(["a\nb\n c"]);
  });

  it("ignores comments, unknown fields and retry, bad ones too", () => {
    expect(
      data(read(": hi\n\n:\nfoo: x\nretry: 10\nretry: soon\nnocolon\ndata: 1\n: in between\n\n")),
    ).toEqual(["1"]);
  });

  it("drops a byte order mark at the start, also one that arrives in pieces", () => {
    expect(data(read("\ufeffdata: 1\n\n"))).toEqual(["1"]);
    expect(data(read(Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), "data: 1\n\n"))).toEqual([
      "1",
    ]);
  });

  it("joins UTF-8 sequences that are split between chunks", () => {
    const text = bytes('data: "é😀"\n\n');
    expect(data(read(...Array.from(text, (byte) => Uint8Array.of(byte))))).toEqual(['"é😀"']);
  });

  it("keeps the id for later events, resets it with an empty one, and ignores one with NUL", () => {
    const events = read("id: 7\ndata: a\n\ndata: b\n\nid: x\0y\ndata: c\n\nid\ndata: d\n\n");
    expect(events.map((event) => event.id)).toEqual(["7", "7", "7", ""]);
  });

  it("moves the id on with an event that has no text, and does not hand that one out", () => {
    expect(read("id: 7\nevent: ping\ndata:\n\ndata: a\n\n")).toEqual([{ data: "a", id: "7" }]);
  });

  it("names the type of an event and forgets it after that event", () => {
    expect(read("event: error\ndata: a\n\ndata: b\n\n")).toEqual([
      { data: "a", event: "error" },
      { data: "b" },
    ]);
  });

  it("does not count an event without its blank line", () => {
    expect(data(read("data: 1\n\ndata: 2\n"))).toEqual(["1"]);
  });

  it("gives the same events however the bytes are cut", () => {
    const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .map((s) => s.replace(/[\r\n\0]/g, "·"));
    const event = fc.record({
      lines: fc.array(text, { minLength: 1, maxLength: 3 }),
      id: fc.option(fc.nat().map(String), { nil: undefined }),
      comment: fc.boolean(),
      end: lineEnd,
    });
    const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.boolean(), places, (events, bom, at) => {
        let id: string | undefined;
        let wire = bom ? "\ufeff" : "";
        const expected: SseEvent[] = [];
        for (const e of events) {
          const lines = [
            ...(e.comment ? [": note"] : []),
            ...(e.id === undefined ? [] : [`id: ${e.id}`]),
            ...e.lines.map((line) => `data: ${line}`),
            "",
          ];
          wire += lines.map((line) => line + e.end).join("");
          id = e.id ?? id;
          expected.push({ data: e.lines.join("\n"), ...(id !== undefined && { id }) });
        }
        expect(read(...cut(bytes(wire), at))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the size cap", () => {
  const refused = (run: () => unknown): boolean => {
    try {
      run();
      return false;
    } catch (error) {
      return isA2AError(error, "PAYLOAD_TOO_LARGE") && error.message.includes("maxEventBytes");
    }
  };

  it("refuses an event that is larger, whether it comes in one chunk or in many, ended or not", () => {
    const big = `data: ${"x".repeat(2000)}`;
    expect(refused(() => [...createSseReader(A2AError, 1000).push(bytes(`${big}\n\n`))])).toBe(true);
    expect(refused(() => [...createSseReader(A2AError, 1000).push(bytes(big))])).toBe(true);
    const reader = createSseReader(A2AError, 1000);
    expect(
      refused(() => {
        for (const c of cut(bytes(big), [0.1, 0.2, 0.3])) data(reader.push(c));
      }),
    ).toBe(true);
    const lines = createSseReader(A2AError, 1000);
    expect(
      refused(() => {
        for (let i = 0; i < 20; i++) data(lines.push(bytes(`data: ${"x".repeat(100)}\n`)));
      }),
    ).toBe(true);
  });

  it("comes after the events before the large one", () => {
    const reader = createSseReader(A2AError, 1000);
    const seen: string[] = [];
    const all = (): void => {
      const wire = sseEvent("1") + sseEvent("x".repeat(2000)) + sseEvent("3");
      for (const event of reader.push(bytes(wire))) seen.push(event.data);
    };
    expect(refused(all)).toBe(true);
    expect(seen).toEqual(["1"]);
  });

  it("counts the text of an event, not what surrounds it", () => {
    const exact = `data: ${"x".repeat(1000)}\n`;
    expect(data(createSseReader(A2AError, 1000).push(bytes(`${exact}\n`)))).toHaveLength(1);
    const reader = createSseReader(A2AError, 1000);
    expect([...reader.push(bytes(exact)), ...reader.push(bytes("\n"))]).toHaveLength(1);
    expect(refused(() => [...createSseReader(A2AError, 999).push(bytes(`${exact}\n`))])).toBe(true);
  });

  it("goes on refusing, and takes an event of many chunks in linear time (else this times out)", () => {
    const reader = createSseReader(A2AError);
    const chunk = bytes("x".repeat(2048));
    data(reader.push(bytes("data: ")));
    expect(
      refused(() => {
        for (;;) data(reader.push(chunk));
      }),
    ).toBe(true);
    expect(refused(() => data(reader.push(chunk)))).toBe(true);
  });

  it("is no cap on the stream", () => {
    const reader = createSseReader(A2AError, 1000);
    let count = 0;
    for (let i = 0; i < 50; i++) count += data(reader.push(bytes(sseEvent("x".repeat(900))))).length;
    expect(count).toBe(50);
  });
});

describe("the writer", () => {
  it("writes JSON on one data line, ended by a blank line (A2A-SSE-b)", () => {
    expect(sseEvent('{"a":1}')).toBe('data: {"a":1}\n\n');
    expect(sseEvent('{"a":1}', 12)).toBe('id: 12\ndata: {"a":1}\n\n');
    expect(sseComment()).toBe(": \n\n");
    expect(sseComment("a\nb")).toBe(": a b\n\n");
  });

  it("is read back as it was written, line breaks in the text included", () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 2 })), (texts) => {
        const pretty = texts.map((text) => JSON.stringify(JSON.parse(text), null, 2));
        const wire = pretty.map((text, i) => sseComment() + sseEvent(text, i)).join("");
        expect(read(wire)).toEqual(pretty.map((text, i) => ({ data: text, id: String(i) })));
      }),
    );
  });
});
