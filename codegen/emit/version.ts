import { FORM_FOLDER } from "../ir/form.js";
import type { Model } from "../ir/types.js";
import { emitIndex } from "./barrel.js";
import { emitErrors } from "./errors.js";
import { draftForm } from "./form.js";
import { stableJson } from "../load/stable-json.js";
import { format } from "./format.js";
import { emitGrpc } from "./grpc.js";
import { emitHelpers } from "./helpers.js";
import { below, type Output } from "./output.js";
import { emitSchema } from "./schema.js";
import { emitService } from "./service.js";
import { emitTables } from "./tables.js";
import { emitPresence } from "./presence.js";
import type { Target } from "./target.js";
import { emitTypes } from "./types.js";
import { emitValidators, emitValidatorTypes } from "./validators.js";
import { emitZod } from "./zod.js";

/** Every module of one version, as its emitter wrote it. */
export async function draftVersion(model: Model, target: Target): Promise<Output> {
  const helpers = emitHelpers(model, target);
  const presence = emitPresence(model, target);
  const grpc = emitGrpc(model, target);
  const { form: _, formHop: __, ...own } = model;
  return new Map([
    ["types.ts", await emitTypes(model, target)],
    ["tables.ts", emitTables(model, target)],
    ["service.ts", emitService(model, target)],
    ["errors.ts", emitErrors(model, target)],
    ...(helpers === undefined ? [] : [["helpers.ts", helpers] as const]),
    ...(presence === undefined ? [] : [["presence.ts", presence] as const]),
    ...(grpc === undefined ? [] : [["grpc.ts", grpc] as const]),
    ["index.ts", emitIndex(model, target)],
    ["validators.js", emitValidators(model, target)],
    ["validators.d.ts", emitValidatorTypes(model, target)],
    ["zod.ts", emitZod(model, target)],
    ["schema.json", emitSchema(model)],
    ["ir.json", stableJson(own)],
    ...below(FORM_FOLDER, await draftForm(model, target)),
  ]);
}

/** Every module of one version, formatted. */
export async function emitVersion(model: Model, target: Target): Promise<Output> {
  const drafts = await draftVersion(model, target);
  return new Map(
    await Promise.all([...drafts].map(async ([name, text]) => [name, await format(name, text)] as const)),
  );
}
