import type { SendMessageResponse } from "../versions/pivot.js";
import { textOf } from "../versions/pivot.js";

/** The answer to a message: a task or a message, and what it says. */
export type AgentReply = SendMessageResponse & {
  /** The text of the reply, joined; `""` where there is none. */
  text(): string;
};

/** `text` is no data: it is passed over where the reply is printed, compared or sent on. */
export function withText(reply: SendMessageResponse): AgentReply {
  const text = (): string => textOf(reply);
  return Object.defineProperty(reply, "text", { value: text, enumerable: false }) as AgentReply;
}
