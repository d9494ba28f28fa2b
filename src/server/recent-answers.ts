/** What is remembered of one message. */
export interface Remembered<T> {
  /** Hash of the message: a repeat has the same. */
  readonly fingerprint: string;
  /** Rejects where the message was refused. */
  readonly outcome: Promise<T>;
}

/** Outcomes by message, for a while and so many. */
export interface RecentAnswers<T> {
  /** Undefined where it is not known, or not any more. */
  get(key: string): Remembered<T> | undefined;
  add(key: string, entry: Remembered<T>): void;
  /** Forgets the entry, unless another took its place. */
  drop(key: string, entry: Remembered<T>): void;
}

/** Remembers in memory; what was asked for least recently goes first. */
export function recentAnswers<T>(windowMs: number, max: number, now: () => number): RecentAnswers<T> {
  const entries = new Map<string, { readonly entry: Remembered<T>; readonly expires: number }>();
  return {
    get(key) {
      const known = entries.get(key);
      if (known === undefined) return undefined;
      entries.delete(key);
      if (known.expires <= now()) return undefined;
      entries.set(key, known);
      return known.entry;
    },
    add(key, entry) {
      const time = now();
      entries.set(key, { entry, expires: time + windowMs });
      for (const [oldest, { expires }] of entries) {
        if (entries.size <= max && expires > time) break;
        entries.delete(oldest);
      }
    },
    drop(key, entry) {
      if (entries.get(key)?.entry === entry) entries.delete(key);
    },
  };
}
