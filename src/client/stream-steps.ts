import { takeFrom, type Receiver } from "../take.js";
import type { Run } from "./run.js";

/** The next of a stream. */
export type Step<T> = IteratorResult<T, undefined>;

/** The steps of an open stream. */
export interface Steps<T> {
  /** Without a promise where the event has come already; throws what is wrong with the stream, once. */
  step(): Step<T> | Promise<Step<T>>;
  /** Whether a step is awaited. */
  readonly waits: boolean;
  /** Lets go of the source; who waits is done. */
  end(): void;
}

/**
 * Steps through the events of a reply. The deadline of the run counts while a step is awaited, and its abort ends that.
 * `stop` closes the request; a failure that is `quiet` is an end. Loaded with the first stream, like all that it uses.
 */
export function streamSteps<T>(
  source: AsyncIterator<unknown>,
  run: Run,
  stop: () => void,
  quiet: (error: unknown) => boolean,
): Steps<T> {
  const { signal } = run;
  const done: Step<T> = { done: true, value: undefined };
  let ended = false;
  // What a step came to, until somebody waits for it.
  let ready: Step<T> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let waiter: { resolve(step: Step<T>): void; reject(error: unknown): void } | undefined;

  const receiver: Receiver<unknown> = {
    received(value) {
      if (!ended) deliver({ done: false, value: value as T });
    },
    ended() {
      if (ended) return;
      end();
      deliver(done);
    },
    failed(error) {
      if (ended) return;
      const cause: unknown = signal.aborted ? signal.reason : error;
      end();
      if (quiet(cause)) deliver(done);
      else if (waiter) waiter.reject(cause);
      else failure = { error: cause };
    },
  };

  function deliver(step: Step<T>): void {
    if (waiter === undefined) ready = step;
    else {
      run.disarm();
      waiter.resolve(step);
      waiter = undefined;
    }
  }

  function end(): void {
    ended = true;
    stop();
    source.return?.().catch(() => undefined);
  }

  run.onAbort = (reason) => {
    if (waiter) receiver.failed(reason);
  };
  return {
    get waits() {
      return waiter !== undefined;
    },
    step() {
      if (ended) return done;
      if (signal.aborted) receiver.failed(signal.reason);
      else takeFrom(source, receiver);
      if (failure) {
        const { error } = failure;
        failure = undefined;
        throw error;
      }
      if (ready) {
        const step = ready;
        ready = undefined;
        return step;
      }
      run.arm();
      return new Promise((resolve, reject) => {
        waiter = { resolve, reject };
      });
    },
    end() {
      receiver.ended();
      ready = undefined;
    },
  };
}
