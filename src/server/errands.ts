import { A2AError, type A2AErrorOptions } from "../errors.js";
import type { JsonObject } from "../descriptor.js";
import type { StoredConfig } from "../store/types.js";
import type { Message } from "../versions/pivot.js";
import type { KeptRequest } from "./kept-run.js";

/** What one instance asks of another that works on a task: the text of a letter. */
export type Errand =
  | {
      readonly kind: "message";
      readonly message: Message;
      readonly request: KeptRequest;
      readonly configs: readonly StoredConfig[];
    }
  /** To be told when the agent takes message `k`. */
  | { readonly kind: "taken"; readonly k: number }
  | { readonly kind: "cancel"; readonly metadata?: JsonObject }
  /** The store has a webhook that was not there before, or another one in its place. */
  | { readonly kind: "webhook"; readonly config: StoredConfig }
  /** A webhook is about to be deleted. */
  | { readonly kind: "noWebhook"; readonly id: string };

/** What came of it. */
export interface ErrandAnswer {
  /** A refusal, as the caller is told it. */
  readonly error?: ErrandError;
  /** Number of the message, and the revision with which it was stored. */
  readonly k?: number;
  readonly revision?: number;
  /** `Ticket.floor`, where it is known. */
  readonly floor?: number;
}

interface ErrandError extends Omit<A2AErrorOptions, "cause"> {
  readonly reason: string;
  readonly message: string;
}

/** The text of a refusal; what is no `A2AError` says nothing of what it was. */
export function refusalOf(error: unknown): ErrandAnswer {
  const { reason, message, code, status, data, metadata, violations, headers } = A2AError.from(error);
  return { error: { reason, message, code, status, data, metadata, violations, headers } };
}

/** What an answer says. Throws where it is a refusal. */
export function answerOf(text: string): ErrandAnswer {
  const answer = JSON.parse(text) as ErrandAnswer;
  if (answer.error === undefined) return answer;
  const { reason, message, ...rest } = answer.error;
  throw new A2AError(reason, message, rest);
}
