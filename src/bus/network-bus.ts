import { A2AError, isA2AError } from "../errors.js";
import { decodeMessage } from "./decode-message.js";
import { keepOpen } from "./keep-open.js";
import { Listeners } from "./listeners.js";
import { MessageQueue } from "./message-queue.js";
import { pause } from "./pause.js";
import { perTick } from "./per-tick.js";
import { Senders } from "./senders.js";
import type { OpenSession, Session } from "./session.js";
import type { EventBus, News } from "./types.js";

/** How long `close` waits for what is being sent, ms. */
const LAST_WORDS = 1_000;

/**
 * A bus over a service that `load` brings the sessions of. `maxPayload`: bytes of a message. Whatever gets lost on the way
 * is noticed by the numbers of the messages.
 */
export function networkBus(maxPayload: number, load: () => Promise<OpenSession>): EventBus {
  const id: string = crypto.randomUUID();
  const listeners = new Listeners();
  const senders = new Senders();
  const queue = new MessageQueue(id, maxPayload);
  const closing = new AbortController();
  let session: Session | undefined;
  let sending: Promise<void> | undefined;
  let failing = false;
  let closed = false;

  let settle = { resolve: (): void => undefined, reject: (_error: unknown): void => undefined };
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Those who wait for it are told; nobody must.
  ready.catch(() => undefined);

  /** Sends all there is; false where the session is of no use any more. */
  const pump = async (to: Session): Promise<boolean> => {
    while (session === to && queue.pending) {
      try {
        await to.send(queue.take());
      } catch {
        queue.skip();
        void to.close();
        return false;
      }
    }
    return true;
  };
  /** One batch at a time, so that order holds and what waits is bounded; the next one holds all that came meanwhile. */
  const send = (): void => {
    const to = session;
    if (to === undefined || sending) return;
    sending = pump(to).then((good) => {
      sending = undefined;
      if (queue.pending && (good || session !== to)) send();
    });
  };
  const collect = perTick<News>((news) => {
    if (session) queue.add(news);
    else queue.skip();
    send();
  });

  const text = (text: string): void => {
    const message = decodeMessage(text);
    if (message === "damaged") listeners.troubleOnce("a message that no instance wrote was ignored");
    if (typeof message === "string" || message.from === id) return;
    const order = senders.note(message.from, message.seq);
    if (order === "old") return;
    if (order === "gap") listeners.gap();
    for (const news of message.news) listeners.news(news);
  };
  const failed = (error: unknown): void => {
    if (closing.signal.aborted) return;
    queue.skip();
    if (isA2AError(error, "CONFIG")) settle.reject(error);
    if (!failing) listeners.trouble(messageOf(error));
    failing = true;
  };
  const run = async (): Promise<void> => {
    let open: OpenSession;
    try {
      open = await load();
    } catch (error) {
      failed(error);
      return;
    }
    const watcher = {
      text,
      failed,
      hello: () => queue.take(),
      up(next: Session) {
        session = next;
        failing = false;
        settle.resolve();
        listeners.gap();
        send();
      },
      down(why: string) {
        session = undefined;
        queue.drop();
        if (closing.signal.aborted) return;
        failing = true;
        listeners.trouble(why);
        listeners.gap();
      },
    };
    await keepOpen(open, watcher, closing.signal);
  };
  const done = run();

  return {
    publish(news) {
      if (session && !closed) collect(news);
      else if (news.length > 0) queue.skip();
    },
    listen: (listener) => listeners.add(listener),
    get connected() {
      return session !== undefined && !closed;
    },
    ready: () => ready,
    async close() {
      if (!closed) {
        closed = true;
        await lastWords(() => sending);
        closing.abort();
        settle.reject(new A2AError("ABORTED", "bus: it was closed before it was connected"));
      }
      await done;
    },
  };
}

/** Waits a little for what was published in this tick, and for what is being sent. */
async function lastWords(sending: () => Promise<void> | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setImmediate(resolve));
  const enough = new AbortController();
  await Promise.race([sending(), pause(LAST_WORDS, enough.signal)]);
  enough.abort();
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/^bus: /, "") : "it cannot be opened";
