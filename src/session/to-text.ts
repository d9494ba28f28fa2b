import { partsOf, type AnyArtifact, type AnyMessage } from "./any-part.js";
import type { Part, Task } from "./a2a-types.js";
import type { Task as PivotTask } from "../versions/pivot.js";

/**
 * A task, message or artifact of any version as text for a language model: texts as they are, data as JSON, files as a line
 * that names them. A task is its artifacts; one without artifacts is what its status says.
 */
export function toText(value: Task | PivotTask | AnyMessage | AnyArtifact): string {
  if ("parts" in value) return joined(partsOf(value));
  const { artifacts = [], status } = value;
  if (artifacts.length > 0) return artifacts.map((artifact: AnyArtifact) => toText(artifact)).join("\n\n");
  return status.message ? toText(status.message) : "";
}

/** Pieces of one text are put together; everything else gets a line of its own. */
function joined(parts: readonly Part[]): string {
  const blocks: string[] = [];
  let text: string | undefined;
  for (const part of parts) {
    if (part.kind === "text") {
      text = (text ?? "") + part.text;
      continue;
    }
    if (text !== undefined) blocks.push(text);
    text = undefined;
    blocks.push(part.kind === "data" ? JSON.stringify(part.data) : fileLine(part.file));
  }
  if (text !== undefined) blocks.push(text);
  return blocks.join("\n");
}

const fileLine = ({ name, mimeType, uri }: { name?: string; mimeType?: string; uri?: string }): string =>
  `[file ${[name, mimeType, uri].filter((one) => one !== undefined).join(", ")}]`;
