import type { Problem } from "../codec/decode.js";
import type { JsonObject } from "../descriptor.js";
import type {
  AgentCard,
  Message,
  pivot,
  SendMessageRequest,
  SendMessageResponse,
} from "../versions/pivot.js";
import { textOf, userMessage } from "../versions/pivot.js";
import type { CardInterface } from "./card/card-interface.js";
import type { CallOptions, Client } from "./client-types.js";

/** The answer to a message: a task or a message, and what it says. */
export type AgentReply = SendMessageResponse & {
  /** The text of the reply, joined; `""` where there is none. */
  text(): string;
};

/** What `connect` knows of an agent, besides how to call it. */
export interface AgentFacts {
  /** In the newest shape, whatever version the agent speaks. */
  readonly card: AgentCard;
  /** Where the card was found, or what its relative URLs were resolved against. */
  readonly cardUrl: string | undefined;
  /** The card as it came; what its signatures cover. */
  readonly document: JsonObject;
  /** `unverified`: the card has signatures, and nobody has looked at them. */
  readonly signature: "none" | "unverified";
  /** Everything that the card offers to call. */
  readonly interfaces: readonly CardInterface[];
  /** Oddities of the card, and what was made of each. */
  readonly problems: readonly Problem[];
  /** The interface that is called. With `fallback` it is final once the agent has answered. */
  readonly interface: CardInterface;
  /** `Major.Minor` that is spoken with the agent. */
  readonly protocolVersion: string;
}

/** What an agent offers besides the operations of the protocol. */
export interface AgentExtras extends AgentFacts {
  /**
   * Sends a text, a message or a whole request, and waits for the answer: a task that came to rest, or a message.
   */
  send(what: string | Message | SendMessageRequest, options?: CallOptions): Promise<AgentReply>;
}

/**
 * An agent of any version, called in the shapes of the newest: every operation of the protocol under its name
 * (`agent.sendMessage(…)`, `agent.getTask(…)`), what is known about it, and shortcuts.
 */
export type Agent = Omit<Client<typeof pivot>, keyof AgentExtras> & AgentExtras;

/** An agent over a client. `facts` are read when asked for, for a fallback changes some of them. */
export function createAgent(client: Client<typeof pivot>, facts: AgentFacts): Agent {
  const extras: Pick<AgentExtras, "send"> = {
    async send(what, options) {
      return withText(await client.sendMessage(requestOf(what), options));
    },
  };
  const agent = { ...client, ...extras };
  // Getters are copied as such, which a spread would not do.
  return Object.defineProperties(agent, Object.getOwnPropertyDescriptors(facts)) as typeof agent & AgentFacts;
}

const requestOf = (what: string | Message | SendMessageRequest): SendMessageRequest => {
  if (typeof what === "string") return { message: userMessage(what) };
  return "message" in what ? what : { message: what };
};

/** `text` is no data: it is passed over where the reply is printed, compared or sent on. */
function withText(reply: SendMessageResponse): AgentReply {
  const text = (): string => textOf(reply);
  return Object.defineProperty(reply, "text", { value: text, enumerable: false }) as AgentReply;
}
