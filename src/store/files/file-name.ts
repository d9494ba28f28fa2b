import { createHash } from "node:crypto";
import type { Scope } from "../types.js";

/**
 * Name of a task's files, without their ending: what can be read of its id, and a digest of scope and id. It never leads out
 * of the folder, and is the same on file systems that tell upper case from lower and those that do not.
 */
export function fileNameOf({ tenant, owner }: Scope, taskId: string): string {
  const readable = taskId.slice(0, 40).replaceAll(/[^A-Za-z0-9-]/g, "_");
  const digest = createHash("sha256")
    .update(JSON.stringify([tenant, owner, taskId]))
    .digest("hex");
  return `${readable}.${digest.slice(0, 40)}`;
}
