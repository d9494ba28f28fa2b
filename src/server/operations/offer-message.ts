import { A2AError } from "../../errors.js";
import type { LetterAnswer, StoredConfig } from "../../store/types.js";
import type { LiveTask } from "../../task/live-task.js";
import type { Ticket } from "../../task/ticket.js";
import type { Message } from "../../versions/pivot.js";
import { inTask } from "../in-task.js";
import type { RequestInfo } from "../request-info.js";
import type { Run } from "../run.js";
import type { ServiceContext } from "../service-context.js";

/** A message for a task that is worked on here. */
export interface OfferedMessage {
  readonly message: Message;
  readonly info: RequestInfo;
  readonly configs: readonly StoredConfig[];
  /** What its caller waits for. */
  readonly ticket: Ticket;
  /** Where a letter brought it. */
  readonly answer?: () => LetterAnswer;
}

/** Gives a message to the agent; the run that it causes begins with `go`. Throws where the task takes none now. */
export function offerMessage(
  { runtime, checkMessage }: ServiceContext,
  live: LiveTask,
  { message, info, configs, ticket, answer }: OfferedMessage,
): Run | undefined {
  const session = runtime.sessionOf(live);
  checkMessage.count(live.id, live.received);
  if (session.run === undefined) runtime.limits?.admit(info.scope);
  // A task that paused takes messages, also while its handler still cleans up.
  const working = session.run !== undefined && !live.interrupted;
  if (working && runtime.agent.inbox === "reject") throw busy(live.id);
  return session.offer(inTask(message, live.id, live.contextId), info, configs, ticket, answer);
}

const busy = (taskId: string): A2AError =>
  new A2AError(
    "UNSUPPORTED_OPERATION",
    `Task ${taskId} is being worked on and takes no messages until it pauses`,
    { metadata: { taskId } },
  );
