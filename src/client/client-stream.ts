import type { Reply } from "../call.js";
import { A2AError, isA2AError } from "../errors.js";
import { takeFrom, type Receiver } from "../take.js";
import type { ClientStream } from "./client-types.js";
import type { Run } from "./run.js";

type Step<T> = IteratorResult<T, undefined>;

/** A stream whose events can be had without a promise where they have come already. */
export interface SteppingStream<T> extends ClientStream<T> {
  /** As `next()`, but throws what that rejects with. Not to be called while another step is awaited. */
  step(): Step<T> | Promise<Step<T>>;
}

/** The next step of any stream; throws or rejects where it fails. */
export const stepOf = <T>(stream: ClientStream<T> | SteppingStream<T>): Step<T> | Promise<Step<T>> =>
  "step" in stream ? stream.step() : stream.next();

/** The stream of a call under way, as the user sees it. The deadline runs only while `next()` waits. */
export function clientStream<T>(run: Run, opening: Promise<Reply>): SteppingStream<T> {
  const { signal } = run;
  const done: Step<T> = { done: true, value: undefined };
  let source: AsyncIterator<unknown> | undefined;
  let closed = false;
  let ended = false;
  // What a step came to, until somebody waits for it.
  let ready: Step<T> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let waiter: { resolve(step: Step<T>): void; reject(error: unknown): void } | undefined;
  let last: Promise<Step<T>> | undefined;

  const opened = run.guard(opening).then((reply) => {
    run.disarm();
    return reply;
  });
  const headers = opened.then((reply) => reply.headers);
  // Whoever iterates gets the failure from `next()`; nobody is obliged to look at `headers`.
  headers.catch(() => undefined);

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
      if (closed || (run.over && isA2AError(cause, "TIMEOUT"))) deliver(done);
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

  /** Nothing follows: the request is closed. */
  function end(): void {
    ended = true;
    if (!signal.aborted) run.abort(new A2AError("ABORTED", "The stream was closed"));
    source?.return?.().catch(() => undefined);
  }

  async function first(): Promise<Step<T>> {
    try {
      const { output } = await opened;
      source = (output as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    } catch (error) {
      receiver.failed(error);
      return result() ?? done;
    }
    // For whoever waits without a promise.
    run.onAbort = (reason) => {
      if (waiter) receiver.failed(reason);
    };
    return stream.step();
  }

  function result(): Step<T> | undefined {
    if (failure) {
      const { error } = failure;
      failure = undefined;
      throw error;
    }
    const step = ready;
    ready = undefined;
    return step;
  }

  // What a step throws, a promise rejects with.
  const attempt = async (): Promise<Step<T>> => stream.step();

  const stream: SteppingStream<T> = {
    headers,
    get lastEventId() {
      return run.lastEventId;
    },
    step() {
      if (ended) return done;
      if (source === undefined) return first();
      if (signal.aborted) receiver.failed(signal.reason);
      else takeFrom(source, receiver);
      const step = result();
      if (step) return step;
      run.arm();
      return new Promise((resolve, reject) => {
        waiter = { resolve, reject };
      });
    },
    next() {
      const step = last ? last.then(attempt, attempt) : attempt();
      if (!waiter && source) return step;
      last = step;
      const clear = (): void => {
        if (last === step) last = undefined;
      };
      step.then(clear, clear);
      return step;
    },
    async return() {
      closed = true;
      if (!signal.aborted) run.abort(new A2AError("ABORTED", "The stream was closed"));
      if (!ended) end();
      return done;
    },
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: async () => {
      await stream.return();
    },
  };
  return stream;
}
