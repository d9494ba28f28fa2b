import { byName } from "../load/stable-json.js";
import type { Model } from "../ir/types.js";

import { header } from "./header.js";
import { HELPERS } from "./helpers.js";
import type { Target } from "./target.js";
import { fill } from "./templates.js";

/** `index.ts`: everything of the version by name, so that editors and bundlers see what there is. */
export function emitIndex(model: Model, target: Target): string {
  const names = (kind: "enum" | "type"): string[] =>
    model.decls
      .filter((decl) => (decl.kind === "enum") === (kind === "enum"))
      .map((decl) => decl.name)
      .sort(byName);
  const text = fill("index", {
    version: model.version,
    release: model.release,
    helpers: model.service.helpers === "none" ? "" : HELPERS.join(", "),
    enums: names("enum").join(", "),
    types: names("type"),
  });
  return `${header(model, target)}${text}`;
}
