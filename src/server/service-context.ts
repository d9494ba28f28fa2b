import type { AgentCard, Message } from "../versions/pivot.js";
import type { AgentRuntime } from "./agent-runtime.js";
import type { MessageCheck } from "./message-check.js";
import type { AcceptMessage } from "./operations/accept-message.js";
import type { CardSigner } from "./card-signer.js";
import type { RequestInfo } from "./request-info.js";
import type { HandlerContext } from "./router-types.js";
import { scopeOf, type OwnerOf } from "./scope.js";
import type { PushDelivery } from "../push/types.js";
import type { Scope } from "../store/types.js";
import { traceOf } from "../telemetry/trace-context.js";

/** Gives the extended card of a caller. */
export type ExtendedCard = AgentCard | ((ctx: HandlerContext) => AgentCard | Promise<AgentCard>);

/** Names the skill of the card that a message asks for, where it can tell. */
export type SkillOf = (message: Message, ctx: HandlerContext) => string | undefined;

/** What the operations work with. */
export interface ServiceContext {
  readonly runtime: AgentRuntime;
  /** The public card as served now. */
  readonly card: () => AgentCard;
  readonly extendedCard: ExtendedCard | undefined;
  /** Adds to an extended card what the `auth` option says of cards. */
  readonly secureCard: (card: AgentCard) => AgentCard;
  /** Signs extended cards. */
  readonly signCard: CardSigner | undefined;
  readonly ownerOf: OwnerOf | undefined;
  /** Takes messages; undefined: each of them. */
  readonly accept: AcceptMessage | undefined;
  /** Refuses messages that are too much. */
  readonly checkMessage: MessageCheck;
  /** Refuses content that the agent does not take. */
  readonly checkContent: (message: Message) => void;
  /** Refuses callers who may not use the skill that a message asks for; undefined where no message names one. */
  readonly checkSkill: ((message: Message, ctx: HandlerContext) => void) | undefined;
  /** What is wrong with a webhook, judged by its text. */
  readonly checkWebhook: PushDelivery["check"];
  /** Streams of SendStreamingMessage end at AUTH_REQUIRED too. */
  readonly closeAtAuthRequired: boolean;
}

/** Scope of a call. */
export const callScope = ({ ownerOf }: ServiceContext, { context }: HandlerContext): Scope =>
  scopeOf(context, ownerOf);

/** What the handler may know of a call. */
export function requestInfo(
  scope: Scope,
  { context, headers }: HandlerContext,
  request: { metadata?: RequestInfo["metadata"]; configuration?: { acceptedOutputModes?: string[] } },
): RequestInfo {
  return {
    scope,
    principal: context.principal,
    granted: context.granted,
    tenant: context.tenant,
    metadata: request.metadata,
    extensions: context.activatedExtensions ?? NONE,
    acceptedOutputModes: request.configuration?.acceptedOutputModes ?? NONE,
    trace: context.observed === undefined ? traceOf(headers) : context.observed.trace,
    observed: context.observed,
  };
}

const NONE: readonly string[] = [];
