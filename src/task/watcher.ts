/** Someone who waits for a task to go on. */
export interface Watcher {
  /** Told after every commit, and when nothing more will come. */
  notify(): void;
  /** Revision up to which it has taken events, where it reads them. */
  readonly cursor?: number | undefined;
  /** It is about to take what comes: events that it has not read are kept for it, however many come in one go. */
  readonly reading?: boolean;
  /** Once a second, so that one who never takes anything can be let go. */
  tick?(now: number): void;
  /** Nobody works on the task here any longer: what follows may come from another instance. */
  leave?(): void;
}
