import type { Table } from "../descriptor.js";
import { A2AError } from "../errors.js";
import {
  agentCardTable,
  artifactTable,
  artifactUpdateTable,
  messageTable,
  partTable,
  pushConfigTable,
  statusTable,
  statusUpdateTable,
  streamResponseTable,
  taskTable,
} from "../versions/pivot.js";
import type { CodecType } from "./codec-types.js";

/** A type of the codec: its name in the schema of the newest version, by which conversions know it, and its table. */
export interface TypeFacts {
  readonly schema: string;
  readonly table: Table<unknown>;
}

const facts: Readonly<Record<CodecType, TypeFacts>> = {
  task: { schema: "Task", table: taskTable },
  status: { schema: "TaskStatus", table: statusTable },
  message: { schema: "Message", table: messageTable },
  artifact: { schema: "Artifact", table: artifactTable },
  part: { schema: "Part", table: partTable },
  fileContent: { schema: "Part", table: partTable },
  event: { schema: "StreamResponse", table: streamResponseTable },
  statusUpdate: { schema: "TaskStatusUpdateEvent", table: statusUpdateTable },
  artifactUpdate: { schema: "TaskArtifactUpdateEvent", table: artifactUpdateTable },
  pushConfig: { schema: "TaskPushNotificationConfig", table: pushConfigTable },
  agentCard: { schema: "AgentCard", table: agentCardTable },
};

/** What is known of a type of the codec; an unknown one is `CONFIG`. */
export function factsOf(type: CodecType): TypeFacts {
  if (Object.hasOwn(facts, type)) return facts[type];
  throw new A2AError(
    "CONFIG",
    `${JSON.stringify(type)} is no type of the codec; it knows ${Object.keys(facts).join(", ")}`,
  );
}
