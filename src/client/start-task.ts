import { isA2AError } from "../errors.js";
import type { pivot, SendMessageRequest, StreamResponse } from "../versions/pivot.js";
import type { CallOptions, Client, ClientWarning } from "./client-types.js";
import { RemoteTask, type RemoteTaskCalls } from "./remote-task.js";
import { TaskFollower, type Abilities, type FollowOptions } from "./task-follower.js";

/** What tasks of one agent have in common. */
export interface TaskAgent {
  readonly client: Client<typeof pivot>;
  readonly abilities: Abilities;
  /** Default of `timeoutMs`. */
  readonly timeoutMs: number | undefined;
  readonly onWarning: ((warning: ClientWarning) => void) | undefined;
}

/** Sends a message, and gives the task that comes of it when the agent has named it; it is streamed, else polled. */
export async function startTask(
  agent: TaskAgent,
  request: SendMessageRequest,
  options: FollowOptions = {},
): Promise<RemoteTask> {
  const follower = newFollower(agent, options);
  const first = await begin(agent, follower, request, options);
  return new RemoteTask(follower, callsOf(agent, options), first);
}

/** A task that exists already. */
export function openTask(agent: TaskAgent, id: string, options: FollowOptions = {}): RemoteTask {
  const follower = newFollower(agent, options);
  follower.id = id;
  return new RemoteTask(follower, callsOf(agent, options));
}

/** Cancels a task; one that was canceled before, perhaps by an attempt whose answer got lost, is no failure (A2A-3.3.1-d). */
export async function cancelTask(
  { client }: TaskAgent,
  id: string,
  options?: CallOptions,
): ReturnType<Client<typeof pivot>["cancelTask"]> {
  try {
    return await client.cancelTask({ id }, options);
  } catch (error) {
    if (!isA2AError(error, "TASK_NOT_CANCELABLE")) throw error;
    const task = await client.getTask({ id }, options);
    if (task.status.state === "TASK_STATE_CANCELED") return task;
    throw error;
  }
}

const newFollower = ({ client, abilities, onWarning }: TaskAgent, options: FollowOptions): TaskFollower =>
  new TaskFollower(client, abilities, options, onWarning);

function callsOf(agent: TaskAgent, options: FollowOptions): RemoteTaskCalls {
  return {
    cancel: (id, own) => cancelTask(agent, id, { ...options, ...own }),
    async send(message) {
      await agent.client.sendMessage(immediately({ message }), options);
    },
    resume: (follower, message) => begin(agent, follower, { message }, options),
  };
}

async function begin(
  { client, abilities, timeoutMs }: TaskAgent,
  follower: TaskFollower,
  request: SendMessageRequest,
  options: FollowOptions,
): Promise<StreamResponse> {
  if (abilities.streaming) {
    const stream = client.sendStreamingMessage(request, options);
    try {
      return await follower.open(stream, request.message, options.timeoutMs ?? timeoutMs);
    } catch (error) {
      // An answer that says so: nothing was done. Also given where it is the message that is refused, which is refused again.
      if (!isA2AError(error, "UNSUPPORTED_OPERATION") && !isA2AError(error, "METHOD_NOT_FOUND")) throw error;
    }
    const reply = await client.sendMessage(immediately(request), options);
    abilities.streaming = false;
    return follower.begin(reply);
  }
  return follower.begin(await client.sendMessage(immediately(request), options));
}

const immediately = (request: SendMessageRequest): SendMessageRequest => ({
  ...request,
  configuration: { ...request.configuration, returnImmediately: true },
});
