import { pivot, type AgentCard } from "../versions/pivot.js";
import { TaskEngine } from "../task/engine.js";
import type { Scope } from "../store/types.js";
import type { ServingHandler } from "../http/handler.js";
import { openAuth } from "../auth/open-auth.js";
import { AgentRuntime } from "./agent-runtime.js";
import type { Agent, TaskEffects } from "./agent-types.js";
import { checkAskedSkill } from "./check-asked-skill.js";
import { createContentTypeCheck } from "./content-types.js";
import { idempotentAccept } from "./idempotency.js";
import { historyCap } from "./history-cap.js";
import { taskNotFound } from "./invalid.js";
import { createMessageCheck } from "./message-check.js";
import { checkBus, openBus } from "./open-bus.js";
import { openPush } from "./open-push.js";
import { readLetter } from "./read-letter.js";
import { recover } from "./recovery.js";
import { openStore } from "./open-store.js";
import { operations } from "./operations/index.js";
import { createRouter, type Router } from "./router.js";
import { runLimits } from "./run-limits.js";
import { anonymous } from "./scope.js";
import { createFetchHandler } from "../adapter/fetch.js";
import { httpOptions } from "./http-options.js";
import { createVersionHandler, possibleVersions } from "./version-handler.js";
import { jwksUrl } from "../keys/jwks-url.js";
import { JWKS_PATH, openKeys } from "../keys/open-keys.js";
import { createCardSigner } from "./card-signer.js";
import { ServerState } from "../http/server-state.js";
import { closeOnce, withClose } from "./close-once.js";
import { drain, type CloseOptions } from "./drain.js";
import { openTelemetry } from "../telemetry/open-telemetry.js";
import { TaskTraces } from "../telemetry/task-traces.js";
import { withExtensions } from "./extension-card.js";
import { withHooks } from "./extension-hooks.js";
import { withExtensionMethods } from "./extension-methods.js";
import { watchEngine } from "./watch-engine.js";
import { within } from "./within.js";
import { servedExtendedCard } from "./extended-card.js";
import { checkedCard, problemText, servedBindings, servedCard } from "./served-card.js";
import type { ServiceContext } from "./service-context.js";
import { servedVersions } from "./served-versions.js";
import { checkOptions, type ServerOptions } from "./server-options.js";

/** An agent that can be called: in memory, over `fetch`, and by adapters. */
export interface AgentServer extends AsyncDisposable {
  /** The card as it is served. */
  readonly card: AgentCard;
  /** The pivot version alone, for calls in memory. */
  readonly router: Router<typeof pivot>;
  /** All versions, for adapters: `createNodeHandler(server.handle)`. */
  readonly handle: ServingHandler;
  /** For hosts that speak `Request → Response`. */
  fetch(request: Request): Promise<Response>;
  /**
   * The effects on a task from outside a handler, for work that was detached. Rejects with `TASK_NOT_FOUND` where the
   * scope (default: anonymous) has none of this id; effects on a task that has ended throw `TaskFinished`.
   */
  task(id: string, options?: { readonly scope?: Scope }): Promise<TaskEffects>;
  /**
   * Refuses calls, lets handlers end until the deadline, ends streams so that they can be resumed, then stops what still
   * runs. A second call has the outcome of the first. Disposal does the same with `deadlineMs: 0`.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** An agent without a socket. Throws `CONFIG` where agent, card and options contradict each other. */
export function createServer(agent: Agent, options: ServerOptions = {}): AgentServer {
  checkOptions(options);
  const { server, stop, release } = buildServer(agent, options, {
    url: () => options.url ?? `http://localhost${trimmed(options.basePath ?? "/")}`,
    ...(options.grpcUrl !== undefined && { grpcUrl: () => options.grpcUrl }),
  });
  const close = closeOnce(async (deadlineMs) => {
    await stop(deadlineMs);
    await release();
  });
  return withClose(server, close);
}

/** A server whose end is still to be put together: `stop` ends its work, `release` then frees what it holds. */
export interface BuiltServer {
  readonly server: Omit<AgentServer, "close" | typeof Symbol.asyncDispose>;
  /** Rejects with `CONFIG` where a key cannot be read or a store cannot be opened. */
  readonly ready: () => Promise<void>;
  readonly stop: (deadlineMs: number) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Where a server is reached, which may be known later than what it is made of. */
export interface ServerPlaces {
  readonly url: () => string;
  /** `host:port`; absent where gRPC is not served. */
  readonly grpcUrl?: () => string | undefined;
}

/** As `createServer`, for places that are known later. */
export function buildServer(given: Agent, options: ServerOptions, places: ServerPlaces): BuiltServer {
  const { url, grpcUrl } = places;
  const { extensions = [] } = options;
  const agent: Agent = { ...given, card: withExtensions(given.card, extensions) };
  const state = new ServerState();
  const telemetry = openTelemetry(options.telemetry);
  const versions = servedVersions(options.versions, possibleVersions);
  const logger = options.logger ?? console;
  const { limits = {}, skillOf } = options;
  const push = openPush(options);
  const means = {
    push: push !== undefined,
    extendedCard: options.extendedCard !== undefined,
    streaming: isGenerator(agent.handle),
    allowPublicExtendedCard: options.allowPublicExtendedCard ?? false,
    versions,
    bindings: servedBindings,
    ...(options.url !== undefined && { url: options.url }),
  };
  const auth = openAuth(options.auth, agent.card, logger);
  // Checked before anything starts; the URL may still be missing.
  const first = servedCard(auth.card, options.url ?? "http://localhost", means);
  checkedCard(first, means, (problem) => {
    // Deprecated flows are told with the rest of what concerns authentication.
    if (problem.rule !== "A2A-4.5.d-a") logger.warn(`a2a: card: ${problemText(problem)}`);
  });
  const { extendedCard } = options;
  if (typeof extendedCard === "object") {
    servedExtendedCard(extendedCard, { publicCard: () => first, secure: auth.secure });
  }
  let card: AgentCard | undefined;
  const cardNow = (): AgentCard =>
    (card ??= checkedCard(servedCard(auth.card, url(), { ...means, grpcUrl: grpcUrl?.() }), means));

  const { keys: keyOptions } = options;
  const keys = keyOptions && openKeys(keyOptions, () => jwksUrl(url(), keyOptions));
  const sign = keys && createCardSigner(keys);
  const { store, ready: storeReady } = openStore(options.store);
  const engine = new TaskEngine({
    store,
    report: (message, details) => {
      logger.error(message, details);
    },
    limits: {
      ...(limits.subscriberSize !== undefined && { size: limits.subscriberSize }),
      ...(limits.subscriberEvents !== undefined && { events: limits.subscriberEvents }),
      ...(limits.subscriberStallMs !== undefined && { stallMs: limits.subscriberStallMs }),
    },
    ...(options.now && { now: options.now }),
    ...(options.sweepMs !== undefined && { sweepMs: options.sweepMs }),
    onLost: (live, reason) => {
      runtime.sessionOf(live).run?.abort(reason);
    },
    onSweep: (now) => {
      runtime.expire(now);
    },
    cluster: {
      pollMs: options.pollMs ?? POLL_MS,
      read: (live, letter) => readLetter(context, live, letter),
    },
    leases: {
      leaseMs: (options.leaseMs ?? LEASE_MS) * LEASE_SHARE,
      detachedTimeout: agent.detachedTimeout,
    },
    recover: (live, stored, why) => {
      recover(runtime, live, stored, why);
    },
    ...(push && {
      push: {
        wanted: push.wants,
        wake: () => delivery?.wake?.(),
        dropped: (scope, taskId, id) => delivery?.dropped?.(scope, taskId, id),
      },
    }),
  });
  if (options.bus !== undefined) checkBus(store.hints);
  const bus =
    options.bus === undefined
      ? undefined
      : openBus(options.bus, {
          logger,
          telemetry,
          pollMs: options.pollMs ?? POLL_MS,
          connect: (opened) => engine.cluster?.connect(opened),
        });
  const runtime = new AgentRuntime(agent, engine, logger, auth.checkSkill, runLimits(limits));
  const delivery = push?.start(store, {
    now: () => engine.now(),
    log: logger,
    disabled: (scope, taskId, id) => {
      engine.webhooks.stop(scope, taskId, id);
    },
    keys,
    url,
    trace: (taskId) => runtime.traces?.get(taskId),
    telemetry: telemetry?.source,
  });
  runtime.telemetry = telemetry?.source;
  if (push) runtime.traces = new TaskTraces();
  const watching = telemetry && watchEngine(telemetry, engine);

  const checkContent = options.checkInputModes === false ? accept : createContentTypeCheck(agent.card);
  const { idempotency = false } = options;
  const context: ServiceContext = {
    runtime,
    accept:
      idempotency === false
        ? undefined
        : idempotentAccept(idempotency === true ? {} : idempotency, () => engine.now()),
    card: cardNow,
    extendedCard,
    secureCard: auth.secure,
    signCard: sign,
    ownerOf: options.ownerOf,
    checkMessage: createMessageCheck(limits),
    checkContent,
    checkSkill: skillOf && checkAskedSkill(skillOf, auth.checkSkill, checkContent),
    closeAtAuthRequired: options.closeAtAuthRequired ?? false,
    checkWebhook: push?.check?.bind(push),
  };
  const core = operations(context);
  const { service, handlers } = withExtensionMethods(pivot, withHooks(core, extensions), extensions);
  // Cheap in every store: a task that is not there.
  const healthCheck = (): unknown => store.read(anonymous, "-");
  const http = {
    ...httpOptions(options, logger, auth.authenticate),
    state,
    healthCheck,
    ...(telemetry && { telemetry: telemetry.source }),
    ...(keys && { jwks: { path: keyOptions.path ?? JWKS_PATH, text: () => keys.jwks() } }),
  };
  const { historyLength } = limits;
  const middleware =
    historyLength === undefined
      ? options.middleware
      : [...(options.middleware ?? []), historyCap(historyLength)];
  const router = createRouter(service, handlers, {
    ...http,
    card: cardNow,
    ...(middleware && { middleware }),
  });
  const handle = createVersionHandler(router, { versions, card: cardNow, http, server: options, sign });
  const fetchHandler = createFetchHandler(handle);

  const stop = async (deadlineMs: number): Promise<void> => {
    state.drain();
    engine.stopRecovery();
    const end = performance.now() + deadlineMs;
    // Where the store outlives the process, whoever listens goes on elsewhere; else there is no elsewhere.
    if (store.hints?.durable === true) handle.close();
    await drain(runtime, deadlineMs);
    if (store.hints?.durable !== true && delivery?.idle) {
      await within(delivery.idle(), Math.max(PUSH_FLUSH_MS, end - performance.now()));
    }
    runtime.close();
    await within(engine.close(), HAND_OVER_MS);
    // Whoever listens is told the last events; who does not take them is cut.
    await within(handle.quiet(), LAST_WORDS_MS);
    handle.close();
    await router[Symbol.asyncDispose]();
  };
  const release = async (): Promise<void> => {
    await delivery?.[Symbol.asyncDispose]();
    await watching?.stop();
    await bus?.close();
    // A store that was handed in belongs to whoever made it.
    if (typeof options.store !== "object") await store.close?.();
  };

  const server: Omit<AgentServer, "close" | typeof Symbol.asyncDispose> = {
    get card() {
      return cardNow();
    },
    router,
    handle,
    fetch: fetchHandler,
    async task(id, { scope = anonymous } = {}) {
      const live = await engine.lend(scope, id);
      if (live === undefined) throw taskNotFound(id);
      return runtime.effects(live, () => engine.rejoin(live));
    },
  };
  const started = engine.start();
  return {
    server,
    ready: async () => {
      await Promise.all([telemetry?.ready, keys?.ready(), started, storeReady(), bus?.ready()]);
    },
    stop,
    release,
  };
}

/** Milliseconds that streams may take to write what they still have. */
const LAST_WORDS_MS = 1_000;
/** Milliseconds that the store may take to let go of leases; after it they run out. */
const HAND_OVER_MS = 2_000;
const LEASE_MS = 15_000;
/** What of that a lease lasts: instances look for ended ones every third of it, and are to find them within all of it. */
const LEASE_SHARE = 0.75;
const POLL_MS = 250;
/** Milliseconds that webhooks may take where nothing but this process knows of them, whatever the deadline. */
const PUSH_FLUSH_MS = 2_000;

const accept = (): void => undefined;

const isGenerator = (handle: unknown): boolean =>
  Object.prototype.toString.call(handle) === "[object AsyncGeneratorFunction]";

/** A path without its trailing slash: `/` is nothing. */
export const trimmed = (path: string): string => path.replace(/\/+$/, "");
