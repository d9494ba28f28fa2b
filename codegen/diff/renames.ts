import { readFile } from "node:fs/promises";
import { z } from "zod";
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

/** Minor versions in the order in which `schemas/convert` maps one to the next. */
const minors = ["0.1", "0.2", "0.3", "1.0"];

/** The declared renames between two releases, from `schemas/convert/renames.json`, over all steps between them. */
export async function declaredRenames(from: string, to: string): Promise<Renames> {
  const text = await readFile(`${schemasRoot}/convert/renames.json`, "utf8");
  const steps = z.record(z.string(), renamesSchema).parse(JSON.parse(text));
  const [first, last] = [minors.indexOf(minorOf(from)), minors.indexOf(minorOf(to))];
  const way = minors.slice(first, last + 1);
  return way
    .slice(1)
    .map((minor, i) => steps[`${way[i] ?? ""} → ${minor}`] ?? noRenames)
    .reduce(compose, noRenames);
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
