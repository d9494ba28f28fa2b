import type { z } from "zod";
import { A2AError } from "../../errors.js";
import type { A2ASession } from "../a2a-session.js";
import type { Artifact } from "../a2a-types.js";
import { DataArtifacts } from "../data-artifacts.js";
import type { ArtifactForLLM, PartForLLM } from "../llm-types.js";
import { TextArtifacts } from "../text-artifacts.js";
import { columnSelection, rowSelection } from "./row-selection.js";
import type { viewDataArtifactSchema, viewTextArtifactSchema } from "./schemas.js";

/** Text of an artifact, or a range of it. */
export async function viewText(
  session: A2ASession,
  input: z.output<typeof viewTextArtifactSchema>,
  characterLimit: number,
): Promise<ArtifactForLLM> {
  const artifact = await find(session, input);
  const texts = artifact.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  if (texts.length === 0) throw lacks(artifact, "text", "view_data_artifact");
  const text = TextArtifacts.view(texts.join(""), { ...input, characterLimit });
  return shown(artifact, { kind: "text", text });
}

/** Data of an artifact, or a part of it; several data parts are a list of them. */
export async function viewData(
  session: A2ASession,
  input: z.output<typeof viewDataArtifactSchema>,
  characterLimit: number,
): Promise<ArtifactForLLM> {
  const artifact = await find(session, input);
  const values = artifact.parts.flatMap((part) => (part.kind === "data" ? [part.data] : []));
  if (values.length === 0) throw lacks(artifact, "data", "view_text_artifact");
  const { jsonPath, rows, columns } = input;
  const whole = values.length === 1 ? values[0] : values;
  const part = DataArtifacts.view(whole, { jsonPath, characterLimit: Infinity });
  const total = Array.isArray(part) ? part.length : 0;
  const data = DataArtifacts.view(part, {
    rows: rows === undefined ? undefined : Array.isArray(part) ? rowSelection(rows, total) : rows,
    columns: columns === undefined ? undefined : columnSelection(columns),
    characterLimit,
  });
  return shown(artifact, { kind: "data", data });
}

const shown = ({ artifactId, description, name }: Artifact, part: PartForLLM): ArtifactForLLM => ({
  artifactId,
  description: description ?? null,
  name: name ?? null,
  parts: [part],
});

async function find(
  session: A2ASession,
  { agentId, taskId, artifactId }: { agentId: string; taskId: string; artifactId: string },
): Promise<Artifact> {
  const { artifacts = [] } = await session.loadTask(agentId, taskId);
  const artifact = artifacts.find((one) => one.artifactId === artifactId);
  if (artifact) return artifact;
  const known = artifacts.map((one) => one.artifactId).join(", ");
  throw new A2AError(
    "INVALID_PARAMS",
    `The task ${taskId} has no artifact ${artifactId}; ${known ? `there are ${known}` : "it has none at all"}`,
  );
}

const lacks = ({ artifactId }: Artifact, what: string, other: string): A2AError =>
  new A2AError("INVALID_PARAMS", `The artifact ${artifactId} has no ${what}: use ${other}`);
