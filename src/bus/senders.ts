/** Senders that are remembered; one that comes back after it was forgotten counts as a gap. */
const LIMIT = 1_000;

/** The number of the last message of each sender: tells what was lost, however it got lost. */
export class Senders {
  readonly #last = new Map<string, number>();

  /** `old`: a later one was there before. `gap`: messages of the sender are missing before this one. */
  note(from: string, seq: number): "next" | "gap" | "old" {
    const last = this.#last.get(from) ?? 0;
    if (seq <= last) return "old";
    this.#last.delete(from);
    this.#last.set(from, seq);
    if (this.#last.size > LIMIT) {
      const [oldest = ""] = this.#last.keys();
      this.#last.delete(oldest);
    }
    return seq === last + 1 ? "next" : "gap";
  }
}
