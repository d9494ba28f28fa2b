import { JsonText } from "../../json-text.js";
import type { FollowedEvent } from "../../task/followed-event.js";
import type { LiveTask } from "../../task/live-task.js";
import { storedText } from "../../task/load-task.js";
import { Subscription } from "../../task/subscription.js";
import type { Ticket } from "../../task/ticket.js";
import type { SendMessageRequest, StreamResponse, TaskState } from "../../versions/pivot.js";
import type { HandlerContext, StreamChunk } from "../router-types.js";
import type { ServiceContext } from "../service-context.js";
import { taskNotFound } from "../invalid.js";
import { acceptMessage } from "./accept-message.js";
import type { AcceptedElsewhere } from "./send-elsewhere.js";
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
    if (accepted.far !== undefined) return followElsewhere(service, request, accepted);
    if (accepted.free === undefined) {
      const { known } = accepted;
      return only(snapshotEvent(known, known.at, view(request)));
    }
    const outcome = await accepted.free.go(ctx, begins);
    return outcome.live === undefined
      ? only(new JsonText<StreamResponse>(JSON.stringify({ message: outcome.reply })))
      : follow(service, request, outcome.live, outcome.ticket, true);
  }
  if (accepted.created) begins(accepted.live);
  const stream = follow(service, request, accepted.live, accepted.ticket, accepted.created);
  accepted.run?.go();
  return stream;
}

/** The listener gets the task at once, whenever the agent says something, and all that happens to it from then on. */
const begins = (live: LiveTask): void => {
  // A store that takes its time builds the commit when the task may have ended already.
  live.expectListener();
  live.flush();
};

function follow(
  service: ServiceContext,
  request: SendMessageRequest,
  live: LiveTask,
  ticket: Ticket,
  created: boolean,
): Stream {
  const { elsewhere } = service.runtime.engine.further(live) ?? {};
  return new Subscription(live, {
    ...first(live, created, request.configuration?.historyLength),
    closes: (event) => ticket.closes(event, service.closeAtAuthRequired),
    ...(elsewhere && {
      elsewhere: () => {
        const far = elsewhere();
        // Nobody tells here when another instance takes it: whatever rest comes now answers it.
        if (far !== undefined && !ticket.taken) ticket.floor = live.committed;
        return far;
      },
    }),
    limits: service.runtime.engine.limits,
  });
}

/** The task that another instance works on, as it is, then what becomes of it. */
async function followElsewhere(
  service: ServiceContext,
  request: SendMessageRequest,
  { far, ticket, release }: AcceptedElsewhere,
): Promise<Stream> {
  const { engine } = service.runtime;
  let stream: Subscription | undefined;
  // Asked for before anything else: who knows it may forget it when the task comes to rest.
  ticket.whenTaken(() => {
    if (ticket.passed) void stream?.return();
  });
  try {
    const stored = await engine.store.read(far.scope, far.id);
    if (stored === undefined) throw taskNotFound(far.id);
    const lead = snapshotEvent(storedText(stored), stored.revision, view(request));
    const { closeAtAuthRequired, runtime } = service;
    const closes = (event: Pick<FollowedEvent, "state" | "n">): boolean =>
      ticket.closes(event, closeAtAuthRequired);
    // What answers the message may have happened before the task was read.
    const { state } = stored.head;
    if (closes({ state: state as TaskState, n: stored.revision })) return only(lead);
    const { limits } = runtime.engine;
    stream = new Subscription(far, { cursor: stored.revision, lead: [lead], closes, limits });
    return stream;
  } finally {
    release();
  }
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
