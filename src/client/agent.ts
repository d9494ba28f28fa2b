import type { Problem } from "../codec/decode.js";
import type { JsonObject } from "../descriptor.js";
import type {
  AgentCard,
  ListTasksRequest,
  Message,
  pivot,
  SendMessageRequest,
  StreamResponse,
  Task,
} from "../versions/pivot.js";
import { userMessage } from "../versions/pivot.js";
import type { CardInterface } from "./card/card-interface.js";
import type { CallOptions, Client, ClientOptions, ClientStream } from "./client-types.js";
import { listTasks } from "./list-tasks.js";
import { ownReplies, type OwnRepliesOptions } from "./own-replies.js";
import { pushConfigs, type PushConfigs } from "./push-configs.js";
import type { RemoteTask } from "./remote-task.js";
import { cancelTask, openTask, startTask, type TaskAgent } from "./start-task.js";
import type { FollowOptions } from "./task-follower.js";
import { withText, type AgentReply } from "./with-text.js";

export type { AgentReply } from "./with-text.js";

/** What `connect` knows of an agent, besides how to call it. */
export interface AgentFacts {
  /** In the newest shape, whatever version the agent speaks. The extended one, once `extendedCard()` has fetched it. */
  readonly card: AgentCard;
  /** Where the card was found, or what its relative URLs were resolved against. */
  readonly cardUrl: string | undefined;
  /** The card as it came; what its signatures cover. Of the extended one, once `extendedCard()` has fetched it. */
  readonly document: JsonObject;
  /** `valid`: `verify` found the card signed by a known key. `unverified`: it has signatures that say nothing, or were not looked at. Of `card`. */
  readonly signature: "valid" | "none" | "unverified";
  /** Everything that the card offers to call. */
  readonly interfaces: readonly CardInterface[];
  /** Oddities of the card, and what was made of each. */
  readonly problems: readonly Problem[];
  /** The interface that is called. With `fallback` it is final once the agent has answered. */
  readonly interface: CardInterface;
  /** `Major.Minor` that is spoken with the agent. */
  readonly protocolVersion: string;
}

/** What may be sent: a text, a message or a whole request. */
export type Sendable = string | Message | SendMessageRequest;

/** What an agent offers besides the operations of the protocol. */
export interface AgentExtras extends AgentFacts {
  /**
   * Sends a text, a message or a whole request, and waits for the answer: a task that came to rest, or a message.
   */
  send(what: Sendable, options?: CallOptions): Promise<AgentReply>;
  /**
   * Sends likewise, and gives the task at once, to be followed: streamed where the agent streams, else polled. Where the
   * agent answers with a message there is no task, and `message` holds it.
   */
  start(what: Sendable, options?: FollowOptions): Promise<RemoteTask>;
  /** A task that exists already, to be followed; nothing is asked until somebody waits for it. */
  task(id: string, options?: FollowOptions): RemoteTask;
  /** The tasks that match, page after page: `for await (const task of agent.list({ contextId }))`. */
  list(query?: ListTasksRequest, options?: CallOptions): AsyncIterableIterator<Task>;
  /** Asks the agent to stop a task; gives it as it then is. One that was canceled before is no error. */
  cancel(id: string, options?: CallOptions): Promise<Task>;
  /** The task and then its events, as they come over one connection. `task(id)` survives breaks. */
  subscribe(id: string, options?: CallOptions): ClientStream<StreamResponse>;
  /** Webhooks of tasks. */
  readonly push: PushConfigs;
  /**
   * Fetches the card for callers who have authenticated; it is `card` from then on (A2A-3.1.11-d). Believed as `verify` and
   * `unsigned` say for the public one: else `CARD_NOT_TRUSTED`.
   */
  extendedCard(options?: CallOptions): Promise<AgentCard>;
}

/**
 * An agent of any version, called in the shapes of the newest: every operation of the protocol under its name
 * (`agent.sendMessage(…)`, `agent.getTask(…)`), what is known about it, and shortcuts.
 */
export type Agent = Omit<Client<typeof pivot>, keyof AgentExtras> & AgentExtras;

/** How `createAgent` makes an agent. */
export interface AgentOptions extends Pick<ClientOptions, "timeoutMs" | "onWarning">, OwnRepliesOptions {
  /** What was found out about the card that was the last to come in a reply. */
  readonly extended: () => Pick<AgentFacts, "document" | "signature"> | undefined;
}

/** An agent over a client. `facts` are read when asked for, for a fallback changes some of them. */
export function createAgent(open: Client<typeof pivot>, facts: AgentFacts, options: AgentOptions): Agent {
  const { timeoutMs, onWarning } = options;
  let extended: Pick<AgentFacts, "card" | "document" | "signature"> | undefined;
  const client = ownReplies(open, options);
  const tasks: TaskAgent = {
    client: ownReplies(open, { ...options, firstOnly: true }),
    // Where the card says nothing, the agent is asked.
    abilities: { streaming: facts.card.capabilities.streaming !== false },
    timeoutMs,
    onWarning,
  };
  const extras: Omit<AgentExtras, keyof AgentFacts> = {
    async send(what, options) {
      return withText(await client.sendMessage(requestOf(what), options));
    },
    start: (what, options) => startTask(tasks, requestOf(what), options),
    task: (id, options) => openTask(tasks, id, options),
    list: (query, options) => listTasks(client, query, options),
    cancel: (id, options) => cancelTask(tasks, id, options),
    subscribe: (id, options) => client.subscribeToTask({ id }, options),
    push: pushConfigs(client),
    async extendedCard(own) {
      const card = await client.getExtendedAgentCard({}, own);
      extended = { document: facts.document, signature: facts.signature, ...options.extended(), card };
      tasks.abilities.streaming = card.capabilities.streaming !== false;
      return card;
    },
  };
  const agent = { ...client, ...extras };
  // Getters are copied as such, which a spread would not do.
  return Object.defineProperties(agent, {
    ...Object.getOwnPropertyDescriptors(facts),
    card: { enumerable: true, get: () => (extended ?? facts).card },
    document: { enumerable: true, get: () => (extended ?? facts).document },
    signature: { enumerable: true, get: () => (extended ?? facts).signature },
  }) as typeof agent & AgentFacts;
}

const requestOf = (what: Sendable): SendMessageRequest => {
  if (typeof what === "string") return { message: userMessage(what) };
  return "message" in what ? what : { message: what };
};
