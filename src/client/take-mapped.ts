import { promiseOf, takeFrom, type Receiver, type Takeable } from "../take.js";

/** Stands for a value that is not handed on. */
export const SKIPPED: unique symbol = Symbol("skipped");

/** What becomes of a stream, value by value. What it throws ends the stream. */
export interface Mapping<In, Out> {
  /** The value to hand on in its place, at once or later. */
  value(value: In): Out | typeof SKIPPED | Promise<Out>;
  /** Called at the end. */
  ended?(): void;
  /** Called instead where the source fails; the stream fails with what this throws, else it ends. */
  failed?(error: unknown): void;
}

/** The values of a source as a mapping makes them; those that are there cost no promise. */
export class TakeMapped<In, Out>
  implements AsyncIterableIterator<Out, undefined>, Takeable<Out>, Receiver<In>
{
  readonly #source: AsyncIterator<In, unknown>;
  readonly #mapping: Mapping<In, Out>;
  #receiver: Receiver<Out> | undefined;
  #pulling = false;
  #again = false;
  #over = false;

  constructor(source: AsyncIterable<In>, mapping: Mapping<In, Out>) {
    this.#source = source[Symbol.asyncIterator]();
    this.#mapping = mapping;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Out, undefined>> {
    return promiseOf(this);
  }

  async return(): Promise<IteratorResult<Out, undefined>> {
    const waiting = this.#receiver;
    this.#receiver = undefined;
    const before = this.#over;
    this.#over = true;
    waiting?.ended();
    if (!before) await this.#source.return?.();
    return { done: true, value: undefined };
  }

  take(receiver: Receiver<Out>): void {
    if (this.#over) {
      receiver.ended();
      return;
    }
    this.#receiver = receiver;
    this.#pull();
  }

  received(value: In): void {
    if (this.#over) return;
    let read: Out | typeof SKIPPED | Promise<Out>;
    try {
      read = this.#mapping.value(value);
    } catch (error) {
      this.#stop(error);
      return;
    }
    if (read === SKIPPED) this.#pull();
    else if (read instanceof Promise) {
      read.then(
        (later) => this.#deliver(later),
        (error: unknown) => this.#stop(error),
      );
    } else this.#deliver(read);
  }

  ended(): void {
    this.#finish(() => this.#mapping.ended?.());
  }

  failed(error: unknown): void {
    this.#finish(() => {
      if (this.#mapping.failed === undefined) throw error;
      this.#mapping.failed(error);
    });
  }

  // Many values in a row may be skipped: a loop, so that the stack does not grow with them.
  #pull(): void {
    this.#again = true;
    if (this.#pulling) return;
    this.#pulling = true;
    while (this.#again) {
      this.#again = false;
      takeFrom(this.#source, this);
    }
    this.#pulling = false;
  }

  #deliver(value: Out): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.received(value);
  }

  /** The mapping has failed: the source is not read any further. */
  #stop(error: unknown): void {
    this.#finish(() => {
      throw error;
    });
    void Promise.resolve(this.#source.return?.()).catch(() => undefined);
  }

  #finish(last: () => void): void {
    if (this.#over) return;
    this.#over = true;
    const receiver = this.#receiver;
    this.#receiver = undefined;
    try {
      last();
    } catch (error) {
      receiver?.failed(error);
      return;
    }
    receiver?.ended();
  }
}
