import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Declaration } from "../convert/declaration.js";
import { loadHops } from "../convert/load-hops.js";
import { minorOf } from "../load/lines.js";
import { schemasRoot } from "../load/load-line.js";

const names = z.record(z.string(), z.string());
const renamesSchema = z.strictObject({
  types: names.default({}),
  /** By `Type.field` of the older version; the value is the field's new name. */
  fields: names.default({}),
  methods: names.default({}),
});

/** Renames that a diff cannot find out by itself. */
export type Renames = z.infer<typeof renamesSchema>;

/** For neighbours without declared renames. */
export const noRenames: Renames = { types: {}, fields: {}, methods: {} };

/**
 * The declared renames between two releases over all steps between them: those that conversions need, and those of
 * `renames.json` between versions that nobody converts.
 */
export async function declaredRenames(from: string, to: string): Promise<Renames> {
  const steps = await declaredSteps();
  const target = minorOf(to);
  let at = minorOf(from);
  let renames = noRenames;
  while (at !== target) {
    const step = steps.find(({ older }) => older === at);
    if (step === undefined) return renames;
    renames = compose(renames, step.renames);
    at = step.newer;
  }
  return renames;
}

interface DeclaredStep {
  readonly older: string;
  readonly newer: string;
  readonly renames: Renames;
}

async function declaredSteps(): Promise<readonly DeclaredStep[]> {
  const text = await readFile(`${schemasRoot}/convert/renames.json`, "utf8");
  const written = z.record(z.string(), renamesSchema).parse(JSON.parse(text));
  const hops = (await loadHops()).map(({ declaration }) => declaration);
  return [
    ...Object.entries(written).map(([step, renames]) => {
      const [older = "", newer = ""] = step.split(" → ");
      return { older, newer, renames };
    }),
    // The forms of one version are no steps between versions.
    ...hops
      .filter(({ older }) => !older.includes("/"))
      .map((declaration) => ({
        older: declaration.older,
        newer: declaration.newer,
        renames: renamesIn(declaration),
      })),
  ];
}

/** What a declaration says about names. Of several partners of a type the first counts, and a name that lives on none. */
export function renamesIn({ types, methods }: Declaration): Renames {
  const isName = (text: string): boolean => /^\w+$/.test(text);
  const pairs = Object.entries(types).map(([name, entry]) => ({
    older: entry.older ?? name,
    newer: entry.newer ?? name,
    members: Object.entries(entry.members),
  }));
  const kept = new Set(pairs.map(({ newer }) => newer));
  const named = pairs.filter(
    ({ older, newer }) => older !== newer && isName(older) && isName(newer) && !kept.has(older),
  );
  return {
    types: Object.fromEntries([...named].reverse().map(({ older, newer }) => [older, newer])),
    fields: Object.fromEntries(
      pairs.flatMap(({ older, members }) =>
        members.flatMap(([newer, of]) => {
          const was = typeof of === "string" ? of : (of.older ?? newer);
          return isName(was) && isName(newer) && was !== newer ? [[`${older}.${was}`, newer]] : [];
        }),
      ),
    ),
    methods: Object.fromEntries(
      Object.entries(methods).flatMap(([newer, of]) => {
        const older = typeof of === "string" ? of : of?.older;
        return older === undefined || older === newer ? [] : [[older, newer]];
      }),
    ),
  };
}

/** Two steps as one. */
export function compose(one: Renames, two: Renames): Renames {
  const older = new Map(Object.entries(one.types).map(([was, now]) => [now, was]));
  const fields: Record<string, string> = {};
  for (const [path, now] of Object.entries(one.fields)) {
    const type = path.split(".")[0] ?? "";
    fields[path] = two.fields[`${one.types[type] ?? type}.${now}`] ?? now;
  }
  for (const [path, now] of Object.entries(two.fields)) {
    const [type = "", field = ""] = path.split(".");
    const owner = older.get(type) ?? type;
    const isMapped = Object.entries(one.fields).some(
      ([was, name]) => was.startsWith(`${owner}.`) && name === field,
    );
    if (!isMapped) fields[`${owner}.${field}`] = now;
  }
  return { types: chain(one.types, two.types), fields, methods: chain(one.methods, two.methods) };
}

function chain(one: Record<string, string>, two: Record<string, string>): Record<string, string> {
  const targets = new Set(Object.values(one));
  const first = Object.entries(one).map(([was, now]) => [was, two[now] ?? now] as const);
  const rest = Object.entries(two).filter(([was]) => !targets.has(was));
  return Object.fromEntries([...first, ...rest]);
}
