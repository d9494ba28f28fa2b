import type { StoredConfig, StoredTask } from "../../store/types.js";
import type { FarTask } from "../../task/far-task.js";
import { Ticket } from "../../task/ticket.js";
import type { Message } from "../../versions/pivot.js";
import type { AgentRuntime } from "../agent-runtime.js";
import { answerOf } from "../errands.js";
import { keepRequest } from "../kept-run.js";
import type { RequestInfo } from "../request-info.js";
import { ask } from "./ask.js";

/** A message that another instance took, for a task that it works on. */
export interface AcceptedElsewhere {
  readonly live?: undefined;
  readonly free?: undefined;
  readonly far: FarTask;
  /** What its caller waits for. */
  readonly ticket: Ticket;
  /** The task need not be followed for this caller any longer. */
  readonly release: () => void;
}

/** What is sent. */
export interface SentMessage {
  readonly message: Message;
  readonly info: RequestInfo;
  readonly configs: readonly StoredConfig[];
}

/**
 * Sends a message to the instance that works on its task. Undefined where nobody does any longer: the task has ended, or this
 * instance may take it.
 */
export async function sendElsewhere(
  { engine }: AgentRuntime,
  stored: StoredTask,
  { message, info, configs }: SentMessage,
  caller: { readonly signal: AbortSignal },
): Promise<AcceptedElsewhere | undefined> {
  const { scope } = info;
  const { taskId } = stored;
  const far = engine.follow(scope, stored);
  const release = far.hold();
  try {
    const request = keepRequest(info);
    const text = await ask(engine, scope, taskId, { kind: "message", message, request, configs }, caller);
    if (text === undefined) {
      release();
      return undefined;
    }
    const { k = 0, revision = 0, floor } = answerOf(text);
    const ticket = new Ticket();
    const taken = (answer: string | undefined): void => {
      // Where nobody knows any more, whatever rest comes after the message answers it.
      ticket.floor = (answer === undefined ? undefined : answerOf(answer).floor) ?? revision;
    };
    const askWhen = async (): Promise<void> => {
      try {
        taken(await ask(engine, scope, taskId, { kind: "taken", k }, caller));
      } catch {
        taken(undefined);
      }
    };
    if (floor !== undefined) ticket.floor = floor;
    else ticket.askedBy(() => void askWhen());
    return { far, ticket, release };
  } catch (error) {
    release();
    throw error;
  }
}
