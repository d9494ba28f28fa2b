import { promiseOf, type Receiver, type Takeable } from "../take.js";

/** Values that come several at a time, handed on one by one; those that are there cost no promise. */
export interface Pieces<In, Out> {
  /** The next values; undefined at the end. A failure among them is thrown after those before it. */
  more(): Promise<Iterable<In> | undefined>;
  /** What is handed on for each. */
  read(value: In): Out;
  /** Called once, at the end, after a failure or where nobody reads on. */
  close(): void;
}

/** An iterator over all values of the pieces, one `next` or `take` at a time. A failure ends it. */
export class TakePieces<In, Out> implements AsyncIterableIterator<Out, undefined>, Takeable<Out> {
  readonly #pieces: Pieces<In, Out>;
  #piece: Iterator<In> | undefined;
  #receiver: Receiver<Out> | undefined;
  #over = false;

  constructor(pieces: Pieces<In, Out>) {
    this.#pieces = pieces;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Out, undefined>> {
    return promiseOf(this);
  }

  return(): Promise<IteratorResult<Out, undefined>> {
    this.#close();
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.ended();
    return Promise.resolve({ done: true, value: undefined });
  }

  take(receiver: Receiver<Out>): void {
    if (this.#over) {
      receiver.ended();
      return;
    }
    let value: Out;
    try {
      const step = this.#piece?.next();
      if (step === undefined || step.done === true) {
        this.#piece = undefined;
        this.#receiver = receiver;
        this.#more();
        return;
      }
      value = this.#pieces.read(step.value);
    } catch (error) {
      this.#close();
      receiver.failed(error);
      return;
    }
    receiver.received(value);
  }

  #more(): void {
    this.#pieces.more().then(
      (piece) => {
        const receiver = this.#receiver;
        this.#receiver = undefined;
        if (piece === undefined) this.#close();
        else this.#piece = piece[Symbol.iterator]();
        if (receiver) this.take(receiver);
      },
      (error: unknown) => {
        const receiver = this.#receiver;
        this.#receiver = undefined;
        this.#close();
        receiver?.failed(error);
      },
    );
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#piece = undefined;
    this.#pieces.close();
  }
}
