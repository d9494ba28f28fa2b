import { backoff, pause } from "./pause.js";
import type { OpenSession, Session } from "./session.js";

/** A session that lasted so long ends a row of failures, ms. */
const STEADY = 5_000;

/** Whom the loop tells; what it is told while it stops does not count. */
export interface SessionWatcher {
  text(text: string): void;
  /** The first message of every session: news get through only where this one does. */
  hello(): readonly string[];
  up(session: Session): void;
  /** A session that was up has ended. */
  down(why: string): void;
  /** One could not be opened. */
  failed(error: unknown): void;
}

/** Opens one session after another until the signal; resolves when the last one is closed. */
export async function keepOpen(
  open: OpenSession,
  watcher: SessionWatcher,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const lasted = await live(open, watcher, signal);
    if (lasted >= STEADY) failures = 0;
    await pause(backoff(failures), signal);
  }
}

/** One session from its opening to its end. Returns how long it was up, ms. */
async function live(open: OpenSession, watcher: SessionWatcher, signal: AbortSignal): Promise<number> {
  let ended: (why: string) => void = () => undefined;
  const over = new Promise<string>((resolve) => {
    ended = resolve;
  });
  let session: Session | undefined;
  const stop = (): void => {
    ended("it was closed");
    void session?.close();
  };
  signal.addEventListener("abort", stop);
  try {
    session = await open({ text: (text) => watcher.text(text), ended, signal });
    await session.send(watcher.hello());
    const began = performance.now();
    if (!signal.aborted) watcher.up(session);
    watcher.down(await over);
    return performance.now() - began;
  } catch (error) {
    watcher.failed(error);
    return 0;
  } finally {
    signal.removeEventListener("abort", stop);
    await session?.close();
  }
}
