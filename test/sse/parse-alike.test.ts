import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parserOfAlike } from "../../src/sse/parse-alike.js";

/** What a parser gives for texts in turn, written down: order of members included. */
function parse(texts: readonly string[]): (string | undefined)[] {
  const parser = parserOfAlike();
  return texts.map((text) => JSON.stringify(parser(text)));
}

/** The same by `JSON.parse`. */
const expected = (texts: readonly string[]): (string | undefined)[] =>
  texts.map((text) => {
    try {
      return JSON.stringify(JSON.parse(text));
    } catch {
      return undefined;
    }
  });

const token = (text: string): string =>
  `{"id":1,"result":{"a":{"t":"x","parts":[{"text":${text}}]},"more":true}}`;
/** Enough for the parser to know what the texts have in common. */
const known = [token('"one"'), token('"two"'), token('"three"')];

describe("texts that are alike are parsed as JSON.parse does", () => {
  it.each([
    ["an empty string", [token('""')]],
    ["escapes", [token(String.raw`"\n\t\"\\\/\u00e9\ud83d\ude00"`), token(String.raw`"\\"`)]],
    ["half a pair", [token(String.raw`"\ud83d"`), token('"\ud83d"')]],
    ["separators of lines", [token('"\u2028"')]],
    ["a string that goes on as the rest does", [token('"\\"}]},\\"more\\":true}}"')]],
    ["members that a string brings along", [token('"a","text":"b"'), token('"a"}],"parts":[{"text":"b"')]],
    [
      "values that a string brings along",
      [token('"a"},{"text":"b"'), token('"a"]},"more":false,"x":{"y":["b"')],
    ],
    ["a string that is none", [token("1"), token("null"), token('{"a":"b"}'), token('["a"]'), token("")]],
    ["a string that does not end", [token('"a\\"'), token('"'), token('"a')]],
    ["characters that need an escape", [token('"a\nb"'), token('"a\u0000b"'), token(String.raw`"\x"`)]],
    ["white space around", [token(' "a" '), token('\t"a"'), ` ${token('"a"')}`, token('\u00a0"a"')]],
    ["less than what is alike", [token("").slice(0, -8), token("").slice(20), "{", ""]],
    ["another start", [token('"a"').replace('"id":1', '"id":2'), token('"a"').replace("{", "[")]],
    ["another end", [token('"a"').replace("true", "null"), token('"a"').replace("}}", "}]")]],
    ["what is no string", [token("0"), token("1"), token('"a"')]],
    ["another one behind it", [token('"a"') + token('"b"')]],
  ])("%s", (_, texts) => {
    expect(parse([...known, ...texts, ...known])).toEqual(expected([...known, ...texts, ...known]));
  });

  it.each([
    ["names that come twice", (text: string) => `{"a":${text},"b":1,"a":"last"}`],
    ["names that come twice, the string last", (text: string) => `{"a":"first","b":1,"a":${text}}`],
    ["the name of a prototype", (text: string) => `{"__proto__":{"text":${text}},"__proto__x":1}`],
    ["names that are numbers", (text: string) => `{"b":1,"2":${text},"1":[${text}]}`],
    ["a list, a text", (text: string) => `[{"a":[]},${text}]`],
    ["nothing around", (text: string) => text],
    ["escapes before it", (text: string) => String.raw`{"\"a\\":"\\\"","b":${text},"c":"\\"}`],
    [
      "what stands for the string beside it",
      (text: string) => `{"a":"<the string that differs>","b":${text}}`,
    ],
    ["numbers beside it", (text: string) => `{"a":0,"b":${text},"c":1,"d":[0,1]}`],
    ["the name of a member", (text: string) => `{${text}:1,"x":2}`],
    ["the name of a member, spaced", (text: string) => `{${text} : 1,"one":2}`],
    ["numbers that are kept", (text: string) => `{"a":[-0,1e400,0.1],"b":${text}}`],
  ])("%s", (_, make) => {
    const texts = ["one", "two", "x", "three", "one", 'a"b\\', ""].map((text) => make(JSON.stringify(text)));
    expect(parse(texts)).toEqual(expected(texts));
    const values = texts.map(parserOfAlike());
    expect(values).toEqual(texts.map((text): unknown => JSON.parse(text)));
  });

  it("whatever texts come in turn", () => {
    const piece = fc.constantFrom(
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      "a",
      '"text":',
      "1",
      " ",
      '"b"',
      "\u0001",
    );
    const literal = fc.oneof(
      fc.string().map((text) => JSON.stringify(text)),
      fc.array(piece, { maxLength: 8 }).map((pieces) => `"${pieces.join("")}"`),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    );
    const text = fc.oneof({ weight: 8, arbitrary: literal.map(token) }, { weight: 1, arbitrary: fc.json() });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        expect(parse([...known, ...texts])).toEqual(expected([...known, ...texts]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("what is given for texts that are alike", () => {
  const event = (text: string): string =>
    `{"result":{"a":{"t":"x","b":{"c":[1]},"parts":[{"text":"${text}"}]}}}`;
  interface Event {
    result: { a: { t: string; b: { c: number[] }; parts: { text: string; more?: string }[] } };
  }

  it("is nobody else's: whoever changes one changes no other", () => {
    const parser = parserOfAlike();
    for (const text of ["one", "two", "three"]) {
      const { result } = parser(event(text)) as Event;
      result.a.t = "changed";
      result.a.b.c.push(2);
      result.a.parts.push({ text: "changed" });
      for (const part of result.a.parts) part.more = "changed";
    }
    expect(parser(event("four"))).toEqual(JSON.parse(event("four")));
  });

  it("is made of one text, and of what is different in the others", () => {
    const parse = vi.spyOn(JSON, "parse");
    const parser = parserOfAlike();
    const texts = Array.from({ length: 100 }, (_, n) => event(`token ${String(n)}`));
    for (const text of texts) parser(text);
    const read = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    parse.mockRestore();
    expect(read).toBeLessThan(texts.join("").length / 4);
  });

  it("is parsed anew where more would have to be kept than a few chunks", () => {
    const around = (size: number): string[] =>
      ["one", "two", "three", "four"].map((text) => `{"text":"${text}","file":"${"x".repeat(size)}"}`);
    const parse = vi.spyOn(JSON, "parse");
    const parsed = (texts: readonly string[]): number[] => {
      parse.mockClear();
      texts.map(parserOfAlike());
      return parse.mock.calls.map(([text]) => text.length);
    };
    const [small, large] = [around(200_000), [`{"text":"zero"}`, ...around(300_000)]];
    expect(parsed(small).at(-1)).toBe('"four"'.length);
    expect(parsed(large)).toEqual(large.map((text) => text.length));
    parse.mockRestore();
  });

  it("survives any nesting", () => {
    const deep = (text: string): string => `{"a":"${text}","b":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const parser = parserOfAlike();
    for (const text of ["one", "two", "three"]) expect((parser(deep(text)) as { a: string }).a).toBe(text);
  });
});
