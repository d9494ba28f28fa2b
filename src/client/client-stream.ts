import type { Reply } from "../call.js";
import { A2AError, isA2AError } from "../errors.js";
import type { ClientStream } from "./client-types.js";
import type { Run } from "./run.js";
import type { Step, Steps } from "./stream-steps.js";

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
  const done: Step<T> = { done: true, value: undefined };
  let steps: Steps<T> | undefined;
  let closed = false;
  let failed = false;
  let waiting: Promise<Step<T>> | undefined;

  const opened = run.guard(opening).then((reply) => {
    run.disarm();
    return reply;
  });
  const headers = opened.then((reply) => reply.headers);
  // Whoever iterates gets the failure from `next()`; nobody is obliged to look at `headers`.
  headers.catch(() => undefined);

  const stop = (): void => {
    if (!run.signal.aborted) run.abort(new A2AError("ABORTED", "The stream was closed"));
  };
  const quiet = (error: unknown): boolean => closed || (run.over && isA2AError(error, "TIMEOUT"));

  async function first(): Promise<Step<T>> {
    try {
      const { output } = await opened;
      const { streamSteps } = await import("./stream-steps.js");
      steps = streamSteps((output as AsyncIterable<unknown>)[Symbol.asyncIterator](), run, stop, quiet);
      return await steps.step();
    } catch (error) {
      failed = true;
      stop();
      if (quiet(error)) return done;
      throw error;
    }
  }

  // What a step throws, a promise rejects with.
  const attempt = async (): Promise<Step<T>> => stream.step();

  const stream: SteppingStream<T> = {
    headers,
    get lastEventId() {
      return run.lastEventId;
    },
    step: () => (failed ? done : steps ? steps.step() : first()),
    next() {
      const step = waiting ? waiting.then(attempt, attempt) : attempt();
      if (steps?.waits === false) return step;
      waiting = step;
      const clear = (): void => {
        if (waiting === step) waiting = undefined;
      };
      step.then(clear, clear);
      return step;
    },
    async return() {
      closed = true;
      stop();
      steps?.end();
      return done;
    },
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: async () => {
      await stream.return();
    },
  };
  return stream;
}
