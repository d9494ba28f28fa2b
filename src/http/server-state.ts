/** What of a server's life its edge must know; whoever shuts it down says so. */
export class ServerState {
  #draining = false;
  readonly #told = new Set<() => void>();

  /** The server ends: it is not ready for more, and says so. */
  get draining(): boolean {
    return this.#draining;
  }

  /** The server begins to end. */
  drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    for (const tell of [...this.#told]) tell();
  }

  /** Calls `tell` when the server begins to end; returns what stops that. */
  onDrain(tell: () => void): () => void {
    this.#told.add(tell);
    return () => void this.#told.delete(tell);
  }
}
