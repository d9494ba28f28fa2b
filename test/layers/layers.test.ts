import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entries } from "../../scripts/entries.js";
import layers from "../../scripts/layers.json" with { type: "json" };
import { importsOf, root, type Import } from "./imports.js";

const filesIn = (folder: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith(".d.ts"))
        .map((name) => `${folder}/${name}`)
    : [];

const compositions: readonly string[] = layers.compositions;
const ranks: Readonly<Record<string, number>> = layers.ranks;
const isEntry = (file: string): boolean => entries.some(({ source }) => source === file);
/** Files of `src/` itself that are no entry points belong to every layer: they are at the bottom. */
const rankOf = (file: string): number | undefined =>
  /^src\/[^/]+$/.test(file) ? (isEntry(file) ? undefined : 0) : ranks[layerOf(file)];
/** `src/http/x.ts` → `http`. */
const layerOf = (file: string): string => /^src\/([^/]+)\//.exec(file)?.[1] ?? "";

/** What is wrong with one import of a file under `src`, or nothing. */
function complaint(file: string, { target, specifier }: Import): string | undefined {
  if (target === undefined) return undefined;
  if (target.startsWith("generated/"))
    return file.startsWith("src/versions/") ? undefined : `${file} imports ${target}: only src/versions may`;
  if (!target.startsWith("src/")) return `${file} imports ${specifier}, which is outside src`;
  const from = layerOf(file);
  const to = layerOf(target);
  const rank = rankOf(file);
  if (rank === undefined || compositions.includes(file)) return undefined;
  if (compositions.includes(target)) return `${file} imports ${target}, which wires the layers together`;
  if (isEntry(target)) return `${file} imports the entry point ${target}`;
  const targetRank = rankOf(target);
  if (targetRank === undefined) return `${file} imports ${target}, which stands on the layers`;
  if (targetRank > rank) return `${file} (${from}) imports ${target} (${to}): the wrong way up`;
  if (from !== to && layers.apart.some((pair) => pair.includes(from) && pair.includes(to)))
    return `${file} imports ${target}: ${from} and ${to} are kept apart`;
  return undefined;
}

/** Files that are loaded when `file` is, and the packages they load; dynamic imports included. */
function closure(file: string, seen = new Map<string, Import[]>()): Map<string, Import[]> {
  if (seen.has(file)) return seen;
  const imports = importsOf(file).filter((one) => !one.typeOnly);
  seen.set(file, imports);
  for (const { target } of imports) if (target !== undefined) closure(target, seen);
  return seen;
}

const packagesIn = (graph: Map<string, Import[]>): string[] =>
  [...graph].flatMap(([file, imports]) =>
    imports.filter((one) => one.target === undefined).map((one) => `${one.specifier} from ${file}`),
  );

const isBanned = (name: string): boolean =>
  layers.banned.some((banned) =>
    banned.endsWith(":") ? name.startsWith(banned) : new RegExp(`^${banned}[/ ]`).test(name),
  );

describe("layers", () => {
  it("every import under src points down: adapter → http → binding → server|client → task → store|bus", () => {
    const complaints = filesIn("src").flatMap((file) =>
      importsOf(file).flatMap((one) => complaint(file, one) ?? []),
    );
    expect(complaints).toEqual([]);
  });

  it("sees what it must refuse", () => {
    const check = (file: string, text: string): string[] =>
      importsOf(file, text).flatMap((one) => complaint(file, one) ?? []);
    expect(check("src/task/a.ts", `import { b } from "../http/b.js";`)).toHaveLength(1);
    expect(check("src/task/a.ts", `export type { b } from "../server/b.js";`)).toHaveLength(1);
    expect(check("src/client/a.ts", `const b = await import("../server/b.js");`)).toHaveLength(1);
    expect(
      check("src/server/a.ts", `import type { Task } from "../../generated/v1.0/types.js";`),
    ).toHaveLength(1);
    expect(check("src/http/a.ts", `import { createRouter } from "../server/router.js";`)).toHaveLength(1);
    expect(check("src/codec/a.ts", `import { A2AError } from "../index.js";`)).toHaveLength(1);
    expect(check("src/http/a.ts", `import { b } from "../binding/b.js"; import "../errors.js";`)).toEqual([]);
  });

  it("generated code imports the folder of its version, runtime.js and types of src/descriptor; forms their client", () => {
    const complaints = filesIn("generated").flatMap((file) =>
      importsOf(file)
        .filter(({ target, specifier, typeOnly }) => {
          if (target === undefined) return !(file.endsWith("/zod.ts") && specifier === "zod");
          const [own = file] = /^generated\/(?:[^/]+\/)?/.exec(file) ?? [];
          return !(
            target.startsWith(own) ||
            target === "generated/runtime.js" ||
            (target === "src/descriptor.ts" && typeOnly) ||
            (target === "src/binding/form-rest-client.ts" && file.endsWith("/proto/index.ts"))
          );
        })
        .map(({ specifier }) => `${file} imports ${specifier}`),
    );
    expect(complaints).toEqual([]);
  });

  const browser = [
    ...layers.browserRoots,
    ...Object.values({ v1: "v1.0", v03: "v0.3", v02: "v0.2" }).map((line) => `generated/${line}/index.ts`),
  ];
  it.each(browser)("%s loads nothing that a browser lacks", (entry) => {
    expect(packagesIn(closure(entry)).filter(isBanned)).toEqual([]);
  });

  it("sees a banned package", () => {
    expect(["zod from a", "zod/mini from a", "node:fs from a", "zodiac from a"].map(isBanned)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
