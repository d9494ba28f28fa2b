import type { Artifact as SdkArtifact, Message as SdkMessage, Task as SdkTask } from "a2a-js-sdk-0.3";
import {
  JSONTaskStore,
  LocalFileStore,
  minimizeArtifacts,
  toText,
  type AgentURLAndCustomHeaders,
  type Artifact,
  type ArtifactForLLM,
  type DataPartForLLM,
  type FilePartForLLM,
  type FileStore,
  type MessageForLLM,
  type TaskStatusForLLM,
  type TaskStore,
  type TextPartForLLM,
} from "a2a-typed/session";
import { expect, it } from "vitest";
import { found, papers } from "./seed-data.js";

// Values of the document under their types: this file has to compile.
const agent: AgentURLAndCustomHeaders = {
  agentCard: {
    name: "Universal Translator",
    description: "Translate text and audio between 50+ languages",
    url: "https://translate.example.com",
    version: "1.0.0",
    capabilities: { streaming: false, pushNotifications: false },
    skills: [
      {
        id: "translate-audio",
        name: "Translate Audio",
        description: "Translate audio between any supported language pair",
        tags: ["translate", "audio", "language"],
      },
    ],
    defaultInputModes: ["text", "audio/mpeg"],
    defaultOutputModes: ["text", "audio/mpeg"],
  },
  customHeaders: { Authorization: "Bearer tok_123" },
};
const message: MessageForLLM = {
  contextId: "ctx-456",
  kind: "message",
  parts: [{ kind: "text", text: found }],
};
const status: TaskStatusForLLM = { state: "completed", message };
const text: TextPartForLLM = { kind: "text", text: found };
const data: DataPartForLLM = { kind: "data", data: papers };
const file: FilePartForLLM = {
  kind: "file",
  name: "q4-report.pdf",
  mimeType: "application/pdf",
  uri: null,
  bytes: { _saved_to: ["./storage/files/task-123/art-789/q4-report.pdf"] },
};
const artifact: ArtifactForLLM = {
  artifactId: "art-790",
  description: null,
  name: "Abstract",
  parts: [text, data, file],
};

/** A store of one's own, as the document has it. */
class OwnFileStore implements FileStore {
  async save(taskId: string, { artifactId }: Artifact): Promise<string[]> {
    return [`s3://bucket/${taskId}/${artifactId}`];
  }
  async get(): Promise<string[]> {
    return [];
  }
  async delete(): Promise<void> {}
}

const sdkArtifact: SdkArtifact = { artifactId: "a", parts: [{ kind: "text", text: "hi" }] };
const sdkMessage: SdkMessage = { kind: "message", messageId: "m", role: "agent", parts: sdkArtifact.parts };
const sdkTask: SdkTask = {
  kind: "task",
  id: "t",
  contextId: "c",
  status: { state: "completed", message: sdkMessage },
  artifacts: [sdkArtifact],
};

it("takes the values of the document and of the official SDK of 0.3", async () => {
  expect([agent.agentCard.name, status.state, artifact.parts.length]).toEqual([
    "Universal Translator",
    "completed",
    3,
  ]);
  expect(minimizeArtifacts([sdkArtifact])[0]?.parts).toEqual([{ kind: "text", text: "hi" }]);
  expect([toText(sdkTask), toText(sdkMessage)]).toEqual(["hi", "hi"]);
  const stores: [TaskStore, FileStore, FileStore] = [
    new JSONTaskStore("./storage/tasks"),
    new LocalFileStore("./storage/files"),
    new OwnFileStore(),
  ];
  expect(await stores[2].save("t", sdkArtifact)).toEqual(["s3://bucket/t/a"]);
});
