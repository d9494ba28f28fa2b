import { pivot, type AgentCard } from "../versions/pivot.js";
import { isLive, TaskEngine } from "../task/engine.js";
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
import { openPush } from "./open-push.js";
import { openStore } from "./open-store.js";
import { operations } from "./operations/index.js";
import { createRouter, type Router } from "./router.js";
import { runLimits } from "./run-limits.js";
import { anonymous } from "./scope.js";
import { createFetchHandler } from "../adapter/fetch.js";
import { httpOptions } from "./http-options.js";
import { createVersionHandler, possibleVersions } from "./version-handler.js";
import { openKeys } from "../keys/open-keys.js";
import { createServerState } from "../http/server-state.js";
import { closeOnce, withClose } from "./close-once.js";
import { drain, type CloseOptions } from "./drain.js";
import { within } from "./within.js";
import { servedCard } from "./served-card.js";
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
  const { server, stop, release } = buildServer(
    agent,
    options,
    () => options.url ?? `http://localhost${trimmed(options.basePath ?? "/")}`,
  );
  const close = closeOnce(async (deadlineMs) => {
    await stop(deadlineMs);
    await release();
  });
  return withClose(server, close);
}

/** A server whose end is still to be put together: `stop` ends its work, `release` then frees what it holds. */
export interface BuiltServer {
  readonly server: Omit<AgentServer, "close" | typeof Symbol.asyncDispose>;
  stop(deadlineMs: number): Promise<void>;
  release(): Promise<void>;
}

/** As `createServer`, for a URL that is known later. */
export function buildServer(agent: Agent, options: ServerOptions, url: () => string): BuiltServer {
  const state = createServerState();
  const versions = servedVersions(options.versions, possibleVersions);
  const logger = options.logger ?? console;
  const { limits = {}, skillOf } = options;
  const push = openPush(options);
  const means = {
    push: push !== undefined,
    extendedCard: options.extendedCard !== undefined,
    allowPublicExtendedCard: options.allowPublicExtendedCard ?? false,
    versions,
  };
  const auth = openAuth(options.auth, agent.card, logger);
  // Checked before anything starts; the URL may still be missing.
  servedCard(auth.card, "http://localhost", means);
  let card: AgentCard | undefined;
  const cardNow = (): AgentCard => (card ??= servedCard(auth.card, url(), means));

  const keys = options.keys && openKeys(options.keys, url);
  const store = openStore(options.store);
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
    ...(push && {
      push: {
        wanted: push.wants,
        wake: () => delivery?.wake?.(),
        dropped: (scope, taskId, id) => delivery?.dropped?.(scope, taskId, id),
      },
    }),
  });
  const runtime = new AgentRuntime(agent, engine, logger, auth.checkSkill, runLimits(limits));
  const delivery = push?.start(store, {
    now: () => engine.now(),
    log: logger,
    disabled: (scope, taskId, id) => {
      engine.stopWebhook(scope, taskId, id);
    },
    keys,
    url,
  });

  const { idempotency = false } = options;
  const handlers = operations({
    runtime,
    accept:
      idempotency === false
        ? undefined
        : idempotentAccept(idempotency === true ? {} : idempotency, () => engine.now()),
    card: cardNow,
    extendedCard: options.extendedCard,
    ownerOf: options.ownerOf,
    checkMessage: createMessageCheck(limits),
    checkContent: options.checkInputModes === false ? accept : createContentTypeCheck(agent.card),
    checkSkill: skillOf && checkAskedSkill(skillOf, auth.checkSkill),
    closeAtAuthRequired: options.closeAtAuthRequired ?? false,
    checkWebhook: push?.check?.bind(push),
  });
  // Cheap in every store: a task that is not there.
  const healthCheck = (): unknown => store.read(anonymous, "-");
  const http = { ...httpOptions(options, logger, auth.authenticate), state, healthCheck };
  const { historyLength } = limits;
  const middleware =
    historyLength === undefined
      ? options.middleware
      : [...(options.middleware ?? []), historyCap(historyLength)];
  const router = createRouter(pivot, handlers, { ...http, card: cardNow, ...(middleware && { middleware }) });
  const handle = createVersionHandler(router, { versions, card: cardNow, http, server: options });
  const fetchHandler = createFetchHandler(handle);

  const stop = async (deadlineMs: number): Promise<void> => {
    state.draining = true;
    const end = performance.now() + deadlineMs;
    // Where the store outlives the process, whoever listens goes on elsewhere; else there is no elsewhere.
    if (store.hints?.durable === true) handle.close();
    await drain(runtime, deadlineMs);
    if (store.hints?.durable !== true && delivery?.idle) {
      await within(delivery.idle(), Math.max(PUSH_FLUSH_MS, end - performance.now()));
    }
    runtime.close();
    engine.close();
    // Whoever listens is told the last events; who does not take them is cut.
    await within(handle.quiet(), LAST_WORDS_MS);
    handle.close();
    await router[Symbol.asyncDispose]();
  };
  const release = async (): Promise<void> => {
    await delivery?.[Symbol.asyncDispose]();
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
      const found = await engine.find(scope, id);
      if (found === undefined) throw taskNotFound(id);
      return runtime.effects(isLive(found) ? found : engine.revive(scope, found));
    },
  };
  return { server, stop, release };
}

/** Milliseconds that streams may take to write what they still have. */
const LAST_WORDS_MS = 1_000;
/** Milliseconds that webhooks may take where nothing but this process knows of them, whatever the deadline. */
const PUSH_FLUSH_MS = 2_000;

const accept = (): void => undefined;

/** A path without its trailing slash: `/` is nothing. */
export const trimmed = (path: string): string => path.replace(/\/+$/, "");
