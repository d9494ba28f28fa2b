import type { Message, Task } from "../a2a-types.js";
import type { A2ASession } from "../a2a-session.js";
import type { ArtifactSettings } from "../artifact-settings.js";
import type { MessageForLLM, TaskForLLM } from "../llm-types.js";
import { minimizeArtifacts } from "../minimize-artifacts.js";
import { partsForLLM } from "../parts-for-llm.js";

/** A task for a model, with its artifacts minimized. */
export async function taskForLLM(
  task: Task,
  session: A2ASession,
  settings: ArtifactSettings,
): Promise<TaskForLLM> {
  const { id, contextId, status, artifacts = [] } = task;
  const saved = await Promise.all(
    artifacts.map(async (artifact) => [artifact.artifactId, await session.filesOf(id, artifact)] as const),
  );
  return {
    id,
    contextId,
    kind: "task",
    status: {
      state: status.state,
      message: status.message ? await messageForLLM(status.message, session, id) : null,
    },
    artifacts: minimizeArtifacts(artifacts, {
      characterLimit: settings.sendMessageCharacterLimit,
      minimizedObjectStringLength: settings.minimizedObjectStringLength,
      savedFilePaths: Object.fromEntries(saved),
      textTip: "Text was minimized. Call view_text_artifact to see lines or characters of it.",
      dataTip: "Data was minimized. Call view_data_artifact to see parts of it.",
    }),
  };
}

/** A message for a model. What an agent says is not cut: nothing could show the rest. */
export async function messageForLLM(
  message: Message,
  session: A2ASession,
  taskId?: string,
): Promise<MessageForLLM> {
  return {
    contextId: message.contextId ?? null,
    kind: "message",
    parts: partsForLLM(message.parts, {
      text: (text) => ({ text }),
      data: (data) => data,
      savedTo: await session.filesOfMessage(message, taskId),
    }),
  };
}
