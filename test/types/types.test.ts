import { describe, expect, it } from "vitest";
import { compileFixtures } from "./diagnostics.js";

const { diagnostics, expectations, files } = compileFixtures();

describe("types as users meet them, under the strictest options", () => {
  it.each(files.filter((file) => file.startsWith("compiles-")))("%s compiles", (file) => {
    expect(diagnostics.filter((one) => one.file === file)).toEqual([]);
  });

  it.each(expectations)("refused: $why ($file)", ({ file, line, code }) => {
    const found = diagnostics.filter((one) => one.file === file && one.line === line);
    expect(found.map((one) => one.code)).toEqual([code]);
  });

  it("nothing else is refused", () => {
    const unexpected = diagnostics.filter(
      (one) => !expectations.some((wanted) => wanted.file === one.file && wanted.line === one.line),
    );
    expect(unexpected).toEqual([]);
    expect(expectations.length).toBeGreaterThan(10);
  });
});
