import type { Model } from "../ir/types.js";
import { byName } from "../load/stable-json.js";
import type { Change, ModelDiff } from "./changes.js";
import { diffDecl } from "./diff-decl.js";
import { diffErrors, diffMethods } from "./diff-service.js";
import { matchTypes } from "./match-types.js";
import { noRenames, type Renames } from "./renames.js";

/** What changed from one version to another: types, fields, enum values, methods, errors. Descriptions do not count. */
export function compareModels(from: Model, to: Model, renames: Renames = noRenames): ModelDiff {
  const matched = matchTypes(from, to, renames);
  const rename = (name: string): string => matched.get(name) ?? name;
  const kept = new Set(matched.values());
  const types = [
    ...to.decls
      .filter(({ name }) => !kept.has(name))
      .map(({ name }): Change => ({ change: "added", what: "type", name })),
    ...from.decls.flatMap((decl): Change[] => {
      const now = to.decls.find(({ name }) => name === matched.get(decl.name));
      if (now === undefined) return [{ change: "removed", what: "type", name: decl.name }];
      const renamed: Change[] =
        now.name === decl.name
          ? []
          : [{ change: "renamed", what: "type", name: now.name, was: decl.name, now: now.name }];
      return [...renamed, ...diffDecl(decl, now, renames, rename)];
    }),
  ];
  const changes = [
    ...types,
    ...diffMethods(from.methods, to.methods, renames, rename),
    ...diffErrors(from.errors, to.errors),
  ];
  return { from: from.release, to: to.release, changes: changes.sort(inOrder) };
}

const subjects: readonly Change["what"][] = ["type", "field", "value", "method", "error"];
const kinds: readonly Change["change"][] = [
  "added",
  "removed",
  "renamed",
  "retyped",
  "made required",
  "made optional",
];

function inOrder(a: Change, b: Change): number {
  return (
    subjects.indexOf(a.what) - subjects.indexOf(b.what) ||
    kinds.indexOf(a.change) - kinds.indexOf(b.change) ||
    byName(a.name, b.name) ||
    byName(a.was ?? "", b.was ?? "")
  );
}
