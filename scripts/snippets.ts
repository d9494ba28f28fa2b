/**
 * Keeps the TypeScript blocks of the documentation equal to code that is tested.
 * A block follows a marker, `<!-- snippet: examples/echo.ts -->` or `<!-- snippet: examples/client.ts#errors -->`, where
 * `errors` is a `// #region errors` of that file. Without arguments the blocks are rewritten; `--check` only compares.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const check = process.argv.includes("--check");

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** The text that a marker names: a whole file, or one region of it without its indentation and region comments. */
function snippet(reference: string): string {
  const [file = "", region] = reference.split("#");
  const lines = readFileSync(join(root, file), "utf8").trimEnd().split("\n");
  const kept = region === undefined ? lines : regionOf(lines, region, file);
  const code = kept.filter((line) => !/^\s*\/\/ #(end)?region\b/.test(line));
  const indents = code.flatMap((line) => (line.trim() ? [/^ */.exec(line)?.[0].length ?? 0] : []));
  const indent = Math.min(...indents);
  return code.map((line) => line.slice(indent)).join("\n");
}

function regionOf(lines: readonly string[], region: string, file: string): string[] {
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${region}`);
  if (start === -1 || end < start) throw new Error(`${file} has no region ${region}`);
  return lines.slice(start + 1, end);
}

const block = /(<!-- snippet: (\S+) -->\n+)?```ts\n([\s\S]*?)\n?```/g;
const problems: string[] = [];

for (const document of documents) {
  const path = join(root, document);
  const before = readFileSync(path, "utf8");
  const after = before.replaceAll(
    block,
    (whole, marker: string | undefined, reference: string, code: string) => {
      if (marker === undefined) {
        problems.push(
          `${document}: a ts block without a snippet marker starts with "${code.split("\n")[0] ?? ""}"`,
        );
        return whole;
      }
      const wanted = snippet(reference);
      if (check && wanted !== code) problems.push(`${document}: the block of ${reference} is out of date`);
      return `${marker}\`\`\`ts\n${wanted}\n\`\`\``;
    },
  );
  if (!check && after !== before) writeFileSync(path, after);
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  if (check) console.error("Run: npm run snippets");
  process.exit(1);
}
