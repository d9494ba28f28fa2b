import type { Model } from "../ir/types.js";
import { stableJson } from "../load/stable-json.js";
import { header } from "./header.js";
import type { Output } from "./output.js";
import { emitService } from "./service.js";
import { emitTables } from "./tables.js";
import { inFolder, type Target } from "./target.js";
import { fill } from "./templates.js";
import { emitTypes } from "./types.js";

/** The modules of the ProtoJSON form of a version; `target` is that of the folder of the version. */
export async function draftForm(form: Model, target: Target): Promise<Output> {
  const inner = inFolder(target);
  return new Map([
    ["types.ts", await emitTypes(form, inner)],
    ["tables.ts", emitTables(form, inner)],
    ["service.ts", emitService(form, inner)],
    [
      "index.ts",
      `${header(form, inner)}${fill("form-index", { version: form.version, release: form.release })}`,
    ],
    ["ir.json", stableJson(form)],
  ]);
}
