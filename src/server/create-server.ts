import { pivot, type AgentCard } from "../versions/pivot.js";
import { isLive, TaskEngine } from "../task/engine.js";
import type { Scope } from "../store/types.js";
import type { ServingHandler } from "../http/handler.js";
import { AgentRuntime } from "./agent-runtime.js";
import type { Agent, TaskEffects } from "./agent-types.js";
import { createContentTypeCheck } from "./content-types.js";
import { taskNotFound } from "./invalid.js";
import { openPush } from "./open-push.js";
import { openStore } from "./open-store.js";
import { operations } from "./operations/index.js";
import { createRouter, type Router } from "./router.js";
import { anonymous } from "./scope.js";
import { createFetchHandler } from "../adapter/fetch.js";
import { httpOptions } from "./http-options.js";
import { createVersionHandler, possibleVersions } from "./version-handler.js";
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
  /** Ends streams so that they can be resumed, stops runs, refuses calls. */
  close(): Promise<void>;
}

/** An agent without a socket. Throws `CONFIG` where agent, card and options contradict each other. */
export function createServer(agent: Agent, options: ServerOptions = {}): AgentServer {
  checkOptions(options);
  return buildServer(
    agent,
    options,
    () => options.url ?? `http://localhost${trimmed(options.basePath ?? "/")}`,
  );
}

/** As `createServer`, for a URL that is known later. */
export function buildServer(agent: Agent, options: ServerOptions, url: () => string): AgentServer {
  const versions = servedVersions(options.versions, possibleVersions);
  const logger = options.logger ?? console;
  const { limits = {} } = options;
  const push = openPush(options.push);
  const means = {
    push: push !== undefined,
    extendedCard: options.extendedCard !== undefined,
    allowPublicExtendedCard: options.allowPublicExtendedCard ?? false,
    versions,
  };
  // Checked before anything starts; the URL may still be missing.
  servedCard(agent.card, "http://localhost", means);
  let card: AgentCard | undefined;
  const cardNow = (): AgentCard => (card ??= servedCard(agent.card, url(), means));

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
        wake: () => delivery?.wake?.(),
        dropped: (scope, taskId, id) => delivery?.dropped?.(scope, taskId, id),
      },
    }),
  });
  const runtime = new AgentRuntime(agent, engine, logger);
  const delivery = push?.start(store, {
    now: () => engine.now(),
    log: logger,
    disabled: (scope, taskId, id) => {
      engine.stopWebhook(scope, taskId, id);
    },
  });

  const handlers = operations({
    runtime,
    card: cardNow,
    extendedCard: options.extendedCard,
    ownerOf: options.ownerOf,
    checkContent: options.checkInputModes === false ? accept : createContentTypeCheck(agent.card),
    closeAtAuthRequired: options.closeAtAuthRequired ?? false,
    checkWebhook: push?.check?.bind(push),
  });
  const http = httpOptions(options, logger);
  const { middleware } = options;
  const router = createRouter(pivot, handlers, { ...http, card: cardNow, ...(middleware && { middleware }) });
  const handle = createVersionHandler(router, { versions, card: cardNow, http, server: options });
  const fetchHandler = createFetchHandler(handle);

  let closing: Promise<void> | undefined;
  const shutDown = async (): Promise<void> => {
    runtime.close();
    engine.close();
    handle.close();
    await router[Symbol.asyncDispose]();
    await delivery?.[Symbol.asyncDispose]();
    // A store that was handed in belongs to whoever made it.
    if (typeof options.store !== "object") await store.close?.();
  };

  return {
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
    close: () => (closing ??= shutDown()),
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

const accept = (): void => undefined;

/** A path without its trailing slash: `/` is nothing. */
export const trimmed = (path: string): string => path.replace(/\/+$/, "");
