import type { CallContext } from "../call.js";
import { A2AError } from "../errors.js";
import { JsonText } from "../json-text.js";
import type { Agent } from "../server/agent-types.js";
import type { Content } from "../server/agent-types.js";
import { createServer, type AgentServer } from "../server/create-server.js";
import type { ServerOptions } from "../server/server-options.js";
import { apply } from "../task/apply.js";
import type { Message, SendMessageRequest, StreamResponse, Task, TaskState } from "../versions/pivot.js";
import { pivot, Role, textOf, userMessage } from "../versions/pivot.js";

/** How `runAgent` calls the agent. */
export interface RunAgentOptions {
  readonly contextId?: string;
  readonly metadata?: SendMessageRequest["metadata"];
  readonly configuration?: SendMessageRequest["configuration"];
  /** What `ctx.principal` holds. */
  readonly principal?: unknown;
  readonly tenant?: string;
  /** Extension URIs that the caller asks for. */
  readonly extensions?: readonly string[];
  /** Called with each event as it comes: send, cancel or abort from here. */
  readonly onEvent?: (event: StreamResponse, server: AgentServer) => void;
  readonly server?: ServerOptions;
}

/** What came of one message. */
export interface AgentRun {
  /** Every event, in order: the task first, or one message. */
  readonly events: readonly StreamResponse[];
  /** The task after the last event; absent where the agent answered with a message. */
  readonly task?: Task;
  readonly message?: Message;
  /** State of the task after the last event. */
  readonly state?: TaskState;
  /** What was said: the artifacts of the task or its status message, or the reply. */
  readonly text: string;
  /** The server the agent runs in, for calls beside the run. */
  readonly server: AgentServer;
  /** The next message to the same task, or in the same context where it has ended. */
  reply(content: Content | Message, options?: RunAgentOptions): Promise<AgentRun>;
}

/**
 * Runs an agent on one message without a socket, until the task ends or pauses: `(await runAgent(echo, "hi")).text`.
 * Requests and events pass through JSON, as they would on the wire. Refusals reject with their `A2AError`.
 */
export async function runAgent(
  agent: Agent,
  content: Content | Message,
  options: RunAgentOptions = {},
): Promise<AgentRun> {
  const streaming = { ...agent.card, capabilities: { ...agent.card.capabilities, streaming: true } };
  const server = createServer({ ...agent, card: streaming }, { logger: silent, ...options.server });
  return send(server, toUserMessage(content, options.contextId), options);
}

async function send(server: AgentServer, message: Message, options: RunAgentOptions): Promise<AgentRun> {
  const request: SendMessageRequest = {
    message,
    ...(options.metadata && { metadata: options.metadata }),
    ...(options.configuration && { configuration: options.configuration }),
    ...(options.tenant !== undefined && { tenant: options.tenant }),
  };
  const context: CallContext = {
    ...(options.principal !== undefined && { principal: options.principal }),
    ...(options.tenant !== undefined && { tenant: options.tenant }),
    ...(options.extensions && { requestedExtensions: options.extensions }),
  };
  const reply = await server.router.call({
    service: pivot,
    methodName: "sendStreamingMessage",
    method: pivot.methods.sendStreamingMessage,
    input: JSON.parse(JSON.stringify(request)),
    headers: {},
    signal: new AbortController().signal,
    context,
  });
  if (!reply.stream)
    throw new A2AError("INTERNAL_ERROR", "The server answered a streaming call with one value");
  const events: StreamResponse[] = [];
  let task: Task | undefined;
  for await (const chunk of reply.output) {
    for (const event of eventsOf(chunk)) {
      events.push(event);
      task = event.task ?? (task && apply(task, event));
      options.onEvent?.(event, server);
    }
  }
  const said = events.find((event) => event.message !== undefined)?.message;
  return {
    events,
    ...(task && { task, state: task.status.state }),
    ...(said && { message: said }),
    text: textOf(task ?? said),
    server,
    reply(next, again = options) {
      const { contextId, id } = task ?? { contextId: said?.contextId, id: undefined };
      const paused = task?.status.state.endsWith("_REQUIRED") === true;
      const following = toUserMessage(next, contextId);
      return send(server, paused && id !== undefined ? { ...following, taskId: id } : following, again);
    },
  };
}

function eventsOf(chunk: unknown): StreamResponse[] {
  const chunks: readonly unknown[] = Array.isArray(chunk) ? chunk : [chunk];
  return chunks.map(
    (one) => JSON.parse(one instanceof JsonText ? one.text : JSON.stringify(one)) as StreamResponse,
  );
}

function toUserMessage(content: Content | Message, contextId: string | undefined): Message {
  const message = typeof content === "object" && "messageId" in content ? content : userMessage(content);
  return { ...message, role: Role.USER, ...(contextId !== undefined && { contextId }) };
}

const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {
  // A test looks at the outcome, not at the log.
}
