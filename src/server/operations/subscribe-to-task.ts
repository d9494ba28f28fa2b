import { A2AError } from "../../errors.js";
import type { JsonText } from "../../json-text.js";
import type { Scope, StoredTask } from "../../store/types.js";
import type { Elsewhere } from "../../task/elsewhere.js";
import { isLive } from "../../task/engine.js";
import type { Visitor } from "../../task/task-loads.js";
import type { FollowedEvent } from "../../task/followed-event.js";
import type { LiveTask } from "../../task/live-task.js";
import { replayAfter, storedText } from "../../task/load-task.js";
import { isTerminal } from "../../task/states.js";
import { Subscription } from "../../task/subscription.js";
import type { StreamResponse, SubscribeToTaskRequest } from "../../versions/pivot.js";
import { taskNotFound } from "../invalid.js";
import type { HandlerContext, StreamChunk } from "../router-types.js";
import { callScope, type ServiceContext } from "../service-context.js";
import { snapshotEvent } from "./snapshot-event.js";

type Stream = AsyncIterable<StreamChunk<StreamResponse>>;
type Opened = { readonly resumed: Stream | Promise<Stream> } | undefined;

/**
 * SubscribeToTask: the task as it is, then its events until it ends (A2A-3.1.6). With `Last-Event-ID: n`, an extension
 * of ours: the events after n instead of the task, where they are still kept, also of a task that has ended.
 */
export async function subscribeToTask(
  service: ServiceContext,
  { id }: SubscribeToTaskRequest,
  ctx: HandlerContext,
): Promise<Stream> {
  const scope = callScope(service, ctx);
  const after = lastEventId(ctx.context.lastEventId);
  const open: Visitor<Opened> = (found) => {
    if (found === undefined) throw taskNotFound(id);
    if (isLive(found)) return { resumed: listen(service, found, after) };
    return after === undefined ? undefined : { resumed: ended(service, scope, id, after) };
  };
  const elsewhere = ({ stored }: Elsewhere): Opened => ({
    resumed: listenElsewhere(service, scope, stored, after),
  });
  const { engine } = service.runtime;
  const stream = await engine.visit(scope, id, open, { purpose: "follow", elsewhere });
  if (stream === undefined) throw over(id);
  return stream.resumed;
}

/** The events of a task that has ended, where they are still kept. */
async function ended(service: ServiceContext, scope: Scope, id: string, after: number): Promise<Stream> {
  const missed = await missedEvents(service, scope, id, after);
  if (missed === undefined) throw over(id);
  return replayed(missed);
}

function listen(
  service: ServiceContext,
  live: LiveTask,
  after: number | undefined,
): Stream | Promise<Stream> {
  if (after === undefined || after > live.revision) return fromNow(service, live);
  if (live.log.reaches(after)) return follow(service, live, after);
  // Held, for it must not be forgotten while the store is asked.
  live.holds += 1;
  return fromStore(service, live, after).finally(() => {
    live.holds -= 1;
    live.retireIfIdle();
  });
}

/** From events that only the store has; from the task as it is, where they are kept no longer. */
async function fromStore(service: ServiceContext, live: LiveTask, after: number): Promise<Stream> {
  // The subscription reads them; this is to know whether it can.
  const first = await live.replay(after, 1);
  return first === undefined ? fromNow(service, live) : follow(service, live, after);
}

/** A task that another instance works on, or may take at any time. */
function listenElsewhere(
  service: ServiceContext,
  scope: Scope,
  stored: StoredTask,
  after: number | undefined,
): Stream | Promise<Stream> {
  if (after === undefined || after <= stored.revision) return followElsewhere(service, scope, stored, after);
  // It was read together with others, before the listener saw what it saw.
  return readAnew(service, scope, stored, after);
}

async function readAnew(
  service: ServiceContext,
  scope: Scope,
  { taskId }: StoredTask,
  after: number,
): Promise<Stream> {
  const stored = await service.runtime.engine.store.read(scope, taskId);
  if (stored === undefined) throw taskNotFound(taskId);
  if (stored.head.terminal) return ended(service, scope, taskId, after);
  return followElsewhere(service, scope, stored, after);
}

function followElsewhere(
  { runtime: { engine } }: ServiceContext,
  scope: Scope,
  stored: StoredTask,
  after: number | undefined,
): Stream {
  const { revision, replayFrom } = stored;
  const far = engine.follow(scope, stored);
  const resumes = after !== undefined && after >= replayFrom && after <= revision;
  return new Subscription(far, {
    cursor: resumes ? after : revision,
    ...(!resumes && { lead: [snapshotEvent(storedText(stored), revision)] }),
    closes: ends,
    limits: engine.limits,
  });
}

const fromNow = (service: ServiceContext, live: LiveTask): Stream =>
  follow(service, live, live.revision, [snapshotEvent(live.text(), live.revision)]);

function follow(
  { runtime: { engine } }: ServiceContext,
  live: LiveTask,
  cursor: number,
  lead?: readonly JsonText<StreamResponse>[],
): Stream {
  return new Subscription(live, {
    cursor,
    ...(lead && { lead }),
    closes: ends,
    ...engine.further(live),
    limits: engine.limits,
  });
}

const ends = ({ state }: FollowedEvent): boolean => state !== undefined && isTerminal(state);

async function missedEvents(
  { runtime }: ServiceContext,
  scope: Scope,
  id: string,
  after: number,
): Promise<JsonText<StreamResponse>[] | undefined> {
  const stored = await runtime.engine.store.read(scope, id, { after });
  if (stored === undefined || after < stored.replayFrom || after > stored.revision) return undefined;
  return replayAfter(stored, after);
}

async function* replayed(events: readonly JsonText<StreamResponse>[]): Stream {
  await Promise.resolve();
  if (events.length > 0) yield events;
}

/** A revision, where the header holds one; anything else is as if it were not there. */
const lastEventId = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;

const over = (taskId: string): A2AError =>
  new A2AError("UNSUPPORTED_OPERATION", `Task ${taskId} has ended; get it instead`, { metadata: { taskId } });
