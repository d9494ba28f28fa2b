import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

/** Lines of the block that shows a whole file. */
function linesOf(file: string): number {
  const [, code] =
    new RegExp(`<!-- snippet: ${file} -->\\n+\`\`\`ts\\n([\\s\\S]*?)\\n\`\`\``).exec(readme) ?? [];
  return code === undefined ? Number.NaN : code.split("\n").length;
}

it("the first agent of the README has at most 15 lines, a full one at most 60", () => {
  expect(/<!-- snippet: (\S+\.ts) -->/.exec(readme)?.[1]).toBe("examples/echo.ts");
  expect(linesOf("examples/echo.ts")).toBeLessThanOrEqual(15);
  expect(linesOf("examples/full.ts")).toBeLessThanOrEqual(60);
});

it("the README links every page of docs, and nothing that is not there", () => {
  const linked = [...readme.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = ""]) => path);
  const pages = readdirSync(new URL("docs", root)).filter((name) => name.endsWith(".md"));
  expect(pages.filter((name) => !linked.includes(`docs/${name}`))).toEqual([]);
  const local = linked.filter((path) => !path.includes("://"));
  expect(local.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

it("the README names every subpath of the package", () => {
  const { exports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
    exports: Record<string, unknown>;
  };
  const names = Object.keys(exports)
    .filter((path) => !/^\.\/(package\.json|v[\d.]+(\/.*)?)$|^\.$/.test(path))
    .map((path) => `a2a-typed${path.slice(1)}`);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
