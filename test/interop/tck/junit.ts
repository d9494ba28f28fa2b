import { readFileSync } from "node:fs";

/** How one test of a kit came out. */
export interface TestOutcome {
  /** Module, class and name with parameters. */
  readonly id: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why, where it did not pass. */
  readonly why: string;
}

/** Reads a JUnit file as pytest writes it. */
export function readJunit(file: string): TestOutcome[] {
  const tests: TestOutcome[] = [];
  for (const [, attributes = "", body = ""] of readFileSync(file, "utf8").matchAll(
    /<testcase\b([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs,
  )) {
    const [, kind, detail = ""] = /<(failure|error|skipped)\b([^>]*)/.exec(body) ?? [];
    tests.push({
      id: `${attribute(attributes, "classname").replace(/^tests\./, "")}.${attribute(attributes, "name")}`,
      outcome: kind === undefined ? "passed" : kind === "skipped" ? "skipped" : "failed",
      why: kind === undefined ? "" : (attribute(detail, "message").split("\n", 1)[0] ?? ""),
    });
  }
  return tests;
}

const attribute = (text: string, name: string): string =>
  plain(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "");

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const plain = (text: string): string =>
  text.replace(
    /&(?:#x([0-9A-Fa-f]+)|#(\d+)|(\w+));/g,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? all;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
