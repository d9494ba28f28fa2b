import type { StreamHost } from "../binding/event-stream.js";
import { unref } from "../unref.js";

/** A stream as whoever keeps it alive, and ends it, knows it. */
export interface OpenStream {
  /** Called every half `keepAliveMs`. */
  tick(): void;
  /** Ends it. */
  return(): unknown;
}

/** The streams of a server that are open; one timer keeps all of them alive. */
export class OpenStreams implements StreamHost {
  readonly keepAliveMs: number;
  readonly #open = new Set<OpenStream>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #whenQuiet: (() => void) | undefined;

  constructor(keepAliveMs: number) {
    this.keepAliveMs = keepAliveMs;
  }

  add(stream: OpenStream): void {
    this.#open.add(stream);
    if (this.#timer !== undefined || this.keepAliveMs === 0) return;
    this.#timer = setInterval(
      () => {
        for (const one of this.#open) one.tick();
      },
      Math.max(1, this.keepAliveMs / 2),
    );
    unref(this.#timer);
  }

  ended(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#whenQuiet?.();
  }

  /** Ends all. */
  close(): void {
    for (const stream of this.#open) void stream.return();
  }

  /** Resolves when none is open. */
  quiet(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenQuiet = resolve;
    });
  }
}
