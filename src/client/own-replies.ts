import { quote } from "../codec/reader.js";
import { A2AError } from "../errors.js";
import type { pivot, SendMessageRequest, StreamResponse } from "../versions/pivot.js";
import { stepOf, type SteppingStream } from "./client-stream.js";
import type { Client, ClientStream, ClientWarning } from "./client-types.js";

type PivotClient = Client<typeof pivot>;

/** How `ownReplies` checks. */
export interface OwnRepliesOptions {
  /** False where agents may answer in another context than they were asked in, which is told. */
  readonly keepsContexts: () => boolean;
  readonly onWarning?: ((warning: ClientWarning) => void) | undefined;
  /** Of streams only the first event is looked at, for whoever reads them looks at the others. Default false. */
  readonly firstOnly?: boolean | undefined;
}

/**
 * A client that believes no answer about something else than it asked for: another task, another context (A2A-3.4.1-d),
 * another webhook. Such an answer is `INVALID_AGENT_RESPONSE`; of a stream, the events before it are handed out.
 */
export function ownReplies(
  client: PivotClient,
  { keepsContexts, onWarning, firstOnly = false }: OwnRepliesOptions,
): PivotClient {
  const sameContext = (method: string, asked: string | undefined, got: string | undefined): void => {
    if (!asked || !got || asked === got) return;
    if (keepsContexts()) throw other("context", asked);
    onWarning?.({
      method,
      code: "other-context",
      message: "The answer is in another context than the question",
    });
  };
  const sent =
    (method: string, { message: { taskId, contextId } }: SendMessageRequest) =>
    (event: StreamResponse): void => {
      const about = subjectOf(event);
      same("task", taskId, about.taskId);
      sameContext(method, contextId, about.contextId);
    };

  return {
    ...client,
    async sendMessage(request, options) {
      const reply = await client.sendMessage(request, options);
      sent("sendMessage", request)(reply);
      return reply;
    },
    sendStreamingMessage(request, options) {
      const check = sent("sendStreamingMessage", request);
      // The events of a task are all of one, also where the caller does not know yet of which.
      let taskId: string | undefined;
      return checked(client.sendStreamingMessage(request, options), firstOnly, (event) => {
        check(event);
        const about = subjectOf(event).taskId || undefined;
        same("task", taskId, about);
        taskId ??= about;
      });
    },
    async getTask(request, options) {
      const task = await client.getTask(request, options);
      same("task", request.id, task.id);
      return task;
    },
    async listTasks(request, options) {
      const page = await client.listTasks(request, options);
      for (const { contextId } of page.tasks) same("context", request?.contextId, contextId);
      return page;
    },
    async cancelTask(request, options) {
      const task = await client.cancelTask(request, options);
      same("task", request.id, task.id);
      return task;
    },
    subscribeToTask: (request, options) =>
      checked(client.subscribeToTask(request, options), firstOnly, (event) =>
        same("task", request.id, subjectOf(event).taskId),
      ),
    async createTaskPushNotificationConfig(request, options) {
      const config = await client.createTaskPushNotificationConfig(request, options);
      same("task", request.taskId, config.taskId);
      return config;
    },
    async getTaskPushNotificationConfig(request, options) {
      const config = await client.getTaskPushNotificationConfig(request, options);
      same("task", request.taskId, config.taskId);
      same("webhook", request.id, config.id);
      return config;
    },
    async listTaskPushNotificationConfigs(request, options) {
      const page = await client.listTaskPushNotificationConfigs(request, options);
      for (const { taskId } of page.configs ?? []) same("task", request.taskId, taskId);
      return page;
    },
  };
}

interface Subject {
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

/** What an event is about; of a direct answer only what it says itself. */
function subjectOf({ task, message, statusUpdate, artifactUpdate }: StreamResponse): Subject {
  if (task !== undefined) return { taskId: task.id, contextId: task.contextId };
  return message ?? statusUpdate ?? artifactUpdate;
}

/** What is left out says nothing. */
function same(what: string, asked: string | undefined, got: string | undefined): void {
  if (asked && got && asked !== got) throw other(what, asked);
}

// What the agent wrote instead is not shown: it may be what it was shown.
const other = (what: string, asked: string): A2AError =>
  new A2AError(
    "INVALID_AGENT_RESPONSE",
    `The agent was asked for the ${what} ${quote(asked)} and answered with another one`,
    { code: -32006 },
  );

/** The same stream, which ends where an event does not pass. */
function checked<T>(source: ClientStream<T>, firstOnly: boolean, check: (event: T) => void): ClientStream<T> {
  let passed = false;
  const pass = (step: IteratorResult<T, undefined>): IteratorResult<T, undefined> => {
    if (step.done === true || (passed && firstOnly)) return step;
    try {
      check(step.value);
      passed = true;
    } catch (error) {
      void source.return();
      throw error;
    }
    return step;
  };
  const stream: SteppingStream<T> = {
    step() {
      const step = stepOf(source);
      return step instanceof Promise ? step.then(pass) : pass(step);
    },
    next: async () => pass(await source.next()),
    return: () => source.return(),
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
    headers: source.headers,
    get lastEventId() {
      return source.lastEventId;
    },
  };
  return stream;
}
