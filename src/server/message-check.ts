import { A2AError } from "../errors.js";
import type { Message } from "../versions/pivot.js";
import { invalid } from "./invalid.js";

/** What of a message is limited. */
export interface MessageLimits {
  readonly parts?: number;
  readonly idLength?: number;
  readonly messagesPerTask?: number;
}

/** Refuses what is too much, before the message is stored. */
export interface MessageCheck {
  /** Throws `INVALID_PARAMS`. */
  size(message: Message): void;
  /** Throws `RESOURCE_EXHAUSTED` where a task has taken so many further messages. */
  count(taskId: string, received: number): void;
}

/** The check of messages (A2A-13.4-f). */
export function createMessageCheck(limits: MessageLimits = {}): MessageCheck {
  const { parts: most = 1_000, idLength = 256, messagesPerTask = 10_000 } = limits;
  const checkId = (id: string | undefined, field: string): void => {
    if (id !== undefined && id.length > idLength) {
      throw invalid(field, `must have at most ${String(idLength)} characters`);
    }
  };
  return {
    size({ messageId, contextId, taskId, parts }) {
      if (parts.length > most) throw invalid("message.parts", `must be at most ${String(most)}`);
      checkId(messageId, "message.messageId");
      checkId(contextId, "message.contextId");
      checkId(taskId, "message.taskId");
    },
    count(taskId, received) {
      if (received < messagesPerTask) return;
      throw new A2AError(
        "RESOURCE_EXHAUSTED",
        `Task ${taskId} has taken ${String(messagesPerTask)} messages; open a new one in the same context`,
        { code: -32000, metadata: { taskId } },
      );
    },
  };
}
