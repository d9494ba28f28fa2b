import type { BusListener, News } from "./types.js";

/** Beyond it, what else goes wrong is not told any more: each trouble is told once. */
const TROUBLES = 100;

/** Those who listen to a bus. One that throws does not keep anything from the others. */
export class Listeners {
  readonly #all = new Set<BusListener>();
  readonly #told = new Set<string>();

  add(listener: BusListener): () => void {
    // An object of its own: the same listener may listen twice.
    const own: BusListener = {
      news: (news) => listener.news(news),
      gap: () => listener.gap(),
      trouble: (message) => listener.trouble?.(message),
    };
    this.#all.add(own);
    return () => {
      this.#all.delete(own);
    };
  }

  news(news: News): void {
    this.#each((listener) => listener.news(news));
  }

  gap(): void {
    this.#each((listener) => listener.gap());
  }

  trouble(message: string): void {
    for (const listener of [...this.#all]) {
      try {
        listener.trouble?.(message);
      } catch {
        // Nobody is left to be told.
      }
    }
  }

  /** Of what may come again with every message, only the first is told. */
  troubleOnce(message: string): void {
    if (this.#told.has(message) || this.#told.size >= TROUBLES) return;
    this.#told.add(message);
    this.trouble(message);
  }

  #each(tell: (listener: BusListener) => void): void {
    for (const listener of [...this.#all]) {
      // One that another one has just removed hears nothing any more.
      if (!this.#all.has(listener)) continue;
      try {
        tell(listener);
      } catch (error) {
        this.troubleOnce(`a listener failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
