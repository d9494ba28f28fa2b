import type { Call, CallContext, Headers, Reply } from "../call.js";
import { readCard, type CardSource } from "../card/card-source.js";
import { decode } from "../codec/decode.js";
import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { checkCard } from "../server/router-gate.js";
import type { CallTarget } from "../server/router-types.js";
import { taskRefOf } from "../telemetry/task-ref-of.js";
import type { ObservedCall } from "../telemetry/types.js";
import { requestedExtensions } from "./requested-extensions.js";
import type { Authenticated, Incoming } from "./server-types.js";

/** One call as a binding found it. */
export interface Invocation {
  readonly target: CallTarget;
  readonly methodName: string;
  readonly method: MethodDescriptor;
  /** Raw JSON of the input. */
  readonly input: unknown;
  readonly incoming: Incoming;
  readonly auth?: Authenticated | undefined;
  /** Tenants named outside the input: path prefix and query. */
  readonly tenants?: readonly string[];
  /** Checked here unless the target checks a card of its own. */
  readonly card?: CardSource | undefined;
  /** Who watches the call. */
  readonly observed?: ObservedCall | undefined;
  /** Set once extensions are active: how the reply says so, whatever it is. */
  echo?: string;
}

/**
 * The part of a request that both bindings share, in the order of DESIGN §4: decode → tenant → required extensions →
 * capability → handler. The reply's headers carry the activated extensions (A2A-EXT-c).
 */
export async function invoke(invocation: Invocation): Promise<Reply> {
  const { target, method, incoming, auth, card } = invocation;
  const { service } = target;
  const input = withTenant(
    decode(method.input, invocation.input, { direction: "request" }),
    invocation.tenants,
  );
  const context: CallContext = {};
  if (auth) {
    context.principal = auth.principal;
    if (auth.scope !== undefined) context["scope"] = auth.scope;
    if (auth.granted !== undefined) context.granted = auth.granted;
    if (auth.owner !== undefined) context.taskOwner = auth.owner;
  }
  const tenant = tenantOf(input);
  if (tenant !== undefined && auth?.tenants?.includes(tenant) === false) throw notTheirs(tenant);
  if (tenant !== undefined) context.tenant = tenant;
  const extensions = requestedExtensions(service, incoming.headers);
  if (extensions) context.requestedExtensions = extensions;
  const last = incoming.headers["last-event-id"];
  if (last !== undefined) context.lastEventId = last;
  if (incoming.context !== undefined) context.host = incoming.context;

  const call = new IncomingCall(invocation, input, context);
  if (card !== undefined && target.card === undefined) {
    const view = readCard(card);
    checkCard(view instanceof Promise ? await view : view, call);
  }
  const { observed } = invocation;
  if (observed !== undefined) context.observed = observed;
  let reply: Reply;
  try {
    reply = await (observed === undefined ? target.call(call) : observe(observed, target, call));
  } finally {
    const active = context.activatedExtensions;
    if (active && active.length > 0) invocation.echo = [...new Set(active)].join(", ");
  }
  if (invocation.echo !== undefined) {
    reply.headers[service.headers.extensions] = invocation.echo;
  }
  return reply;
}

const observe = (observed: ObservedCall, target: CallTarget, call: Call): Promise<Reply> => {
  observed.about(taskRefOf(call.input));
  return observed.within(() => target.call(call));
};

/** A class, because an accessor of a prototype is free and most calls never need the signal, which is not. */
class IncomingCall implements Call {
  readonly service: ServiceDescriptor;
  readonly methodName: string;
  readonly method: MethodDescriptor;
  input: unknown;
  readonly headers: Headers;
  readonly context: CallContext;
  readonly #incoming: Incoming;

  constructor({ target, methodName, method, incoming }: Invocation, input: unknown, context: CallContext) {
    this.service = target.service;
    this.methodName = methodName;
    this.method = method;
    this.input = input;
    // Values of absent names are undefined in both types; nothing writes to a request's headers.
    this.headers = incoming.headers as Headers;
    this.context = context;
    this.#incoming = incoming;
  }

  get signal(): AbortSignal {
    return this.#incoming.signal;
  }
}

/** The one tenant of path, query and body; different ones are refused (A2A-11.3-b). */
const withTenant = (input: unknown, others: readonly string[] | undefined): unknown => {
  if (others === undefined || others.length === 0) return input;
  const given = new Set(
    [tenantOf(input), ...others].filter((tenant) => tenant !== undefined && tenant !== ""),
  );
  if (given.size > 1) {
    const description = "path, query and body name different tenants; name one";
    throw new A2AError("INVALID_PARAMS", `tenant: ${description}`, {
      code: -32602,
      violations: [{ field: "tenant", pointer: "/tenant", description }],
    });
  }
  const [tenant] = given;
  return tenant === undefined ? input : { ...(input as object), tenant };
};

/** Said of every tenant that is not the caller's, whether there is one of the name or not. */
const notTheirs = (tenant: string): A2AError =>
  new A2AError("PERMISSION_DENIED", `Permission denied: tenant ${tenant} is none of the caller's`);

const tenantOf = (input: unknown): string | undefined => {
  if (typeof input !== "object" || input === null || !("tenant" in input)) return undefined;
  return typeof input.tenant === "string" && input.tenant !== "" ? input.tenant : undefined;
};
