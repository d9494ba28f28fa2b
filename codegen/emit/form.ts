import { emitHop } from "../convert/emit-hop.js";
import type { Model } from "../ir/types.js";
import { stableJson } from "../load/stable-json.js";
import { emitGrpc } from "./grpc.js";
import { header, sourceHeader } from "./header.js";
import type { Output } from "./output.js";
import { emitService } from "./service.js";
import { emitTables } from "./tables.js";
import { inFolder, type Target } from "./target.js";
import { fill } from "./templates.js";
import { emitTypes } from "./types.js";

/** The modules of the ProtoJSON form of a version, and of its conversion; none where it has no such form. */
export async function draftForm({ form, formHop }: Model, target: Target): Promise<Output> {
  if (form === undefined || formHop === undefined) return new Map();
  const inner = inFolder(target);
  const { version, release } = form;
  const { rest } = inner;
  const grpc = emitGrpc(form, inner);
  return new Map([
    ["types.ts", await emitTypes(form, inner)],
    ["tables.ts", emitTables(form, inner)],
    ["service.ts", emitService(form, inner)],
    ...(grpc === undefined ? [] : [["grpc.ts", grpc] as const]),
    ["hop.ts", emitHop(formHop.rules, inner.seam, sourceHeader(formHop.source))],
    ["index.ts", `${header(form, inner)}${fill("form-index", { version, release, rest })}`],
    ["ir.json", stableJson(form)],
  ]);
}
