import type { Model } from "../ir/types.js";
import { object, quote } from "./code.js";
import { block, docOf } from "./docs.js";
import { createFile } from "./file.js";
import { header } from "./header.js";
import type { Target } from "./target.js";

/** `errors.ts`: how each error of the version looks on the wire, by reason. */
export function emitErrors(model: Model, target: Target): string {
  const file = createFile();
  file.declare("errors");
  file.declare("A2AErrorReason");
  const type = file.use(target.seam, "ErrorDescriptor");
  const lines = model.errors.map((error) => {
    const doc = block(docOf(error.doc === undefined ? {} : { doc: error.doc }));
    const body = object([
      ["code", String(error.code)],
      // What follows is left out where it is the default of the descriptor.
      ["message", error.message === inWords(error.reason) ? undefined : quote(error.message)],
      ["http", error.http === 400 ? undefined : String(error.http)],
      ["status", error.status === "FAILED_PRECONDITION" ? undefined : quote(error.status)],
    ]);
    return `${doc}${quote(error.reason)}: ${body},`;
  });
  file.constant({
    name: "errors",
    value: `{\n${lines.join("\n")}\n} as const satisfies Record<string, ${type}>`,
    doc: `Errors of A2A ${model.version} by reason.`,
  });
  file.typeAlias("A2AErrorReason", "keyof typeof errors", `Reasons of A2A ${model.version}.`);
  return file.text(header(model, target));
}

/** `TASK_NOT_FOUND` → `Task not found`. */
const inWords = (reason: string): string =>
  reason.charAt(0) + reason.slice(1).toLowerCase().replaceAll("_", " ");
