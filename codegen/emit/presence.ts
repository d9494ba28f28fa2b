import { byName } from "../load/stable-json.js";
import type { Decl, Field, Model } from "../ir/types.js";
import { literal } from "./code.js";
import { createFile } from "./file.js";
import { header } from "./header.js";
import type { Target } from "./target.js";

/**
 * `presence.ts`: the scalar members that are written exactly when they were set, by the table of their message; undefined
 * for a version without ProtoJSON. Only canonical forms ask for it, so it stands apart from the tables.
 */
export function emitPresence(model: Model, target: Target): string | undefined {
  const messages = model.decls.filter(isMessage).sort((a, b) => byName(a.name, b.name));
  if (messages.length === 0) return undefined;
  const file = createFile();
  file.declare("explicit");
  const rule = file.use(target.seam, "Rule");
  const tables = file.useAll("./tables.js", "t", "value");
  const entries = messages.flatMap(({ name, fields }) => {
    const names = fields.filter(isExplicit).map((field) => field.name);
    return names.length === 0 ? [] : [`[${tables}.${name}, ${literal(names)}]`];
  });
  file.constant({
    name: "explicit",
    type: `ReadonlyMap<${rule}, readonly string[]>`,
    value: `new Map<${rule}, readonly string[]>([${entries.join(", ")}])`,
    doc: "Members with a presence of their own: a default that was set is not the same as none.",
  });
  return file.text(header(model, target));
}

const isMessage = (decl: Decl): decl is Extract<Decl, { kind: "object" }> =>
  decl.kind === "object" && decl.proto;

/** Messages have presence always, and required members are kept always: neither needs to be listed. */
const isExplicit = ({ presence, required, type }: Field): boolean =>
  presence === "explicit" && !required && type.kind !== "ref";
