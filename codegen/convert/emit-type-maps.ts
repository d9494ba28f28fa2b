import { quote, key } from "../emit/code.js";
import { createFile } from "../emit/file.js";
import { typeText } from "../emit/type-text.js";
import type { Model } from "../ir/types.js";
import type { HopDraft } from "./draft.js";
import { HEADER } from "./emit-lines.js";
import { createForm } from "./form.js";

const SEAM = "../src/descriptor.js";

/**
 * `converted-types.ts`: by version, what a type is called there that the newest version, or an entry of a hop, names so. Models
 * and hops oldest first.
 */
export function emitTypeMaps(models: readonly Model[], hops: readonly HopDraft[]): string {
  const file = createFile();
  file.declare("ConvertedTypes");
  const maps: string[] = [];
  let names = new Map<string, string>();
  for (const [index, model] of [...models].reverse().entries()) {
    const { version, line } = model;
    // The hop from the line before, which is the newer one.
    const hop = hops.at(-Math.max(index, 1));
    names = index === 0 ? newestNames(model, hop) : olderNames(names, hop);
    const form = createForm(model);
    const types = file.useAll(`./${line}/types.js`, `v${version.replaceAll(".", "_")}`);
    const members = [...names]
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .map(([name, expression]) => {
        const text = typeText(
          form.typeOf(expression, name),
          // Of a variant, `Part(text)`, the type is that of the whole.
          (ref) => `${types}.${ref.replace(/\(.*$/, "")}`,
          (json) => file.use(SEAM, json),
        );
        return `${key(name)}: ${text};`;
      });
    maps.push(`readonly ${quote(version)}: { ${members.join("\n")} };`);
  }
  file.raw(
    `/** By version: the types that converted values have, under the names by which they are asked for. */\nexport interface ConvertedTypes { ${maps.join("\n")} }`,
  );
  return file.text(HEADER);
}

/** The types of the newest version, and what its hop names otherwise. */
function newestNames(model: Model, hop: HopDraft | undefined): Map<string, string> {
  const own = model.decls.map(({ name }) => [name, name] as const);
  const entries = Object.entries(hop?.types ?? {}).map(([name, { newer }]) => [name, newer] as const);
  return new Map([...own, ...entries]);
}

/** The same types one version further down, as far as it has them. */
function olderNames(names: ReadonlyMap<string, string>, hop: HopDraft | undefined): Map<string, string> {
  return new Map(
    [...names].flatMap(([name, expression]): [string, string][] => {
      const own = hop?.types[name];
      const entry =
        own?.newer === expression
          ? own
          : Object.values(hop?.types ?? {}).find(({ newer }) => newer === expression);
      return entry === undefined ? [] : [[name, entry.older]];
    }),
  );
}
