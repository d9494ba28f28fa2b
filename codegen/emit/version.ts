import type { Model } from "../ir/types.js";
import { emitIndex } from "./barrel.js";
import { emitErrors } from "./errors.js";
import { stableJson } from "../load/stable-json.js";
import { format } from "./format.js";
import { emitHelpers } from "./helpers.js";
import type { Output } from "./output.js";
import { emitSchema } from "./schema.js";
import { emitService } from "./service.js";
import { emitTables } from "./tables.js";
import type { Target } from "./target.js";
import { emitTypes } from "./types.js";
import { emitValidators, emitValidatorTypes } from "./validators.js";
import { emitZod } from "./zod.js";

/** Every module of one version, formatted. */
export async function emitVersion(model: Model, target: Target): Promise<Output> {
  const files: [name: string, text: string | undefined][] = [
    ["types.ts", await emitTypes(model, target)],
    ["tables.ts", emitTables(model, target)],
    ["service.ts", emitService(model, target)],
    ["errors.ts", emitErrors(model, target)],
    ["helpers.ts", emitHelpers(model, target)],
    ["index.ts", emitIndex(model, target)],
    ["validators.js", emitValidators(model, target)],
    ["validators.d.ts", emitValidatorTypes(model, target)],
    ["zod.ts", emitZod(model, target)],
    ["schema.json", emitSchema(model)],
    ["ir.json", stableJson(model)],
  ];
  const formatted = await Promise.all(
    files.map(async ([name, text]) =>
      text === undefined ? [] : [[name, await format(name, text)] as const],
    ),
  );
  return new Map(formatted.flat());
}
