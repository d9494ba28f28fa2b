import { JsonText } from "../../json-text.js";
import type { LiveTask } from "../../task/live-task.js";
import { Subscription } from "../../task/subscription.js";
import type { Ticket } from "../../task/ticket.js";
import type { SendMessageRequest, StreamResponse } from "../../versions/pivot.js";
import type { HandlerContext, StreamChunk } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { acceptMessage } from "./accept-message.js";
import { snapshotEvent } from "./snapshot-event.js";

type Stream = AsyncIterable<StreamChunk<StreamResponse>>;

/**
 * SendStreamingMessage: the task, then its events until it ends or asks for input; or one message. The stream of a
 * task that waits for credentials stays open, since they may come another way (Q3).
 */
export async function sendStreamingMessage(
  service: ServiceContext,
  request: SendMessageRequest,
  ctx: HandlerContext,
): Promise<Stream> {
  const accepting = (service.accept ?? acceptMessage)(service, request, ctx);
  const accepted = accepting instanceof Promise ? await accepting : accepting;
  if (accepted.live === undefined) {
    if (accepted.free === undefined) {
      const { known } = accepted;
      return only(snapshotEvent(known, known.at, view(request)));
    }
    const outcome = await accepted.free.go(ctx);
    return outcome.live === undefined
      ? only(new JsonText<StreamResponse>(JSON.stringify({ message: outcome.reply })))
      : follow(service, request, outcome.live, outcome.ticket, true);
  }
  const stream = follow(service, request, accepted.live, accepted.ticket, accepted.created);
  accepted.go();
  return stream;
}

function follow(
  service: ServiceContext,
  request: SendMessageRequest,
  live: LiveTask,
  ticket: Ticket,
  created: boolean,
): Stream {
  return new Subscription(live, {
    ...first(live, created, request.configuration?.historyLength),
    closes: (event) => ticket.closes(event, service.closeAtAuthRequired),
    limits: service.runtime.engine.limits,
  });
}

/** What the stream begins with, and after which revision it goes on. */
function first(
  live: LiveTask,
  created: boolean,
  historyLength: number | undefined,
): { cursor: number; lead?: JsonText<StreamResponse>[] } {
  // The first event of a new task is the task: all streams share it.
  if (created && historyLength === undefined) return { cursor: 0 };
  const view = historyLength === undefined ? {} : { historyLength };
  const snapshot = created ? live.birth : undefined;
  const cursor = snapshot?.at ?? live.revision;
  return { cursor, lead: [snapshotEvent(snapshot ?? live.text(), cursor, view)] };
}

const view = ({ configuration }: SendMessageRequest): { historyLength?: number } =>
  configuration?.historyLength === undefined ? {} : { historyLength: configuration.historyLength };

async function* only(event: JsonText<StreamResponse>): Stream {
  await Promise.resolve();
  yield event;
}
