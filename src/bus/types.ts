import type { MaybePromise, Scope } from "../store/types.js";

/** What an instance tells the others after a commit. It is a hint: the store is what holds. */
export interface News {
  /** Whose task; absent: of nobody in particular (both `""`). */
  readonly scope?: Scope;
  readonly taskId: string;
  /** Revision that the store has now; absent where that did not change. */
  readonly revision?: number;
  /** The new events, where they are small: who follows the task need not ask the store. `n` runs up to `revision`. */
  readonly events?: readonly { readonly n: number; readonly text: string }[];
  /** Id of a letter that was left for the owner of the task. */
  readonly letter?: string;
  /** Id of a letter that was answered. */
  readonly answered?: string;
}

/** What listens to a bus. It is called after the tick of what it is told of; what it throws is `trouble`. */
export interface BusListener {
  /** In the order of each sender; perhaps twice, perhaps not at all. */
  news(news: News): void;
  /** News may have been lost: whoever waits must look into the store. Told at every loss and at every recovery. */
  gap(): void;
  /** What operators should know: why it is not connected, or that a message was damaged. Holds no credential. */
  trouble?(message: string): void;
}

/**
 * Carries news between the instances of an agent. Nothing depends on it but speed: while it is down, instances look into
 * the store at intervals.
 */
export interface EventBus {
  /** Tells the others. Never throws and never waits; what cannot be sent is dropped, and `gap` is told to those who missed it. */
  publish(news: readonly News[]): void;
  /** Listens to the others (whether one hears oneself does not matter), until the result is called. */
  listen(listener: BusListener): () => void;
  /** Whether news get through now; changes are told with `gap`. */
  readonly connected: boolean;
  /**
   * Resolves when it is connected for the first time; rejects with `CONFIG` where it cannot be until something is
   * installed or set right, and with `ABORTED` when it is closed before.
   */
  ready?(): MaybePromise<void>;
  /** Sends what is left, within a second, and ends its connections. */
  close(): MaybePromise<void>;
}
