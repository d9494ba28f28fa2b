/** Gets what a source gives: one of the three for each time that it asked. */
export interface Receiver<T> {
  received(value: T): void;
  ended(): void;
  failed(error: unknown): void;
}

/**
 * A source that can be asked without a promise. Many streams wait at the same time for something to happen, and a promise
 * with its closures is most of what waiting costs.
 */
export interface Takeable<T> {
  /** Asks for the next thing; `receiver` gets it, perhaps before this returns. Not to be called before it did. */
  take(receiver: Receiver<T>): void;
}

/** Asks any source for the next thing. */
export function takeFrom<T>(source: AsyncIterator<T, unknown>, receiver: Receiver<T>): void {
  if (isTakeable(source)) {
    source.take(receiver);
    return;
  }
  // A source may throw instead of rejecting.
  try {
    source.next().then(
      (result) => (result.done === true ? receiver.ended() : receiver.received(result.value)),
      (error: unknown) => receiver.failed(error),
    );
  } catch (error) {
    receiver.failed(error);
  }
}

const isTakeable = <T>(
  source: AsyncIterator<T, unknown>,
): source is AsyncIterator<T, unknown> & Takeable<T> => "take" in source && typeof source.take === "function";

/** Asks a takeable source through a promise. */
export const promiseOf = <T>(source: Takeable<T>): Promise<IteratorResult<T, undefined>> =>
  new Promise((resolve, reject) => {
    source.take({
      received: (value) => resolve({ done: false, value }),
      ended: () => resolve({ done: true, value: undefined }),
      failed: reject,
    });
  });
