import type { Reply } from "../call.js";
import { A2AError, isA2AError } from "../errors.js";
import type { ClientStream } from "./client-types.js";
import type { Run } from "./run.js";

/** The stream of a call under way, as the user sees it. The deadline runs only while `next()` waits. */
export function clientStream<T>(run: Run, opening: Promise<Reply>): ClientStream<T> {
  let closed = false;
  const opened = run.guard(opening).then((reply) => {
    run.disarm();
    return reply;
  });
  const headers = opened.then((reply) => reply.headers);
  // Whoever iterates gets the failure from `next()`; nobody is obliged to look at `headers`.
  headers.catch(() => undefined);

  async function* events(): AsyncGenerator<T, undefined, undefined> {
    let source: AsyncIterator<unknown> | undefined;
    try {
      const { output } = await opened;
      source = (output as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      for (;;) {
        run.arm();
        const step = await run.guard(source.next());
        run.disarm();
        if (step.done === true) return undefined;
        yield step.value as T;
      }
    } catch (error) {
      if (closed || (run.over && isA2AError(error, "TIMEOUT"))) return undefined;
      throw error;
    } finally {
      end();
      source?.return?.().catch(() => undefined);
    }
  }

  const end = (): void => {
    if (!run.signal.aborted) run.abort(new A2AError("ABORTED", "The stream was closed"));
  };
  const iterator = events();
  const stream: ClientStream<T> = {
    headers,
    get lastEventId() {
      return run.lastEventId;
    },
    next: () => iterator.next(),
    return: () => {
      closed = true;
      end();
      return iterator.return(undefined);
    },
    [Symbol.asyncIterator]: () => stream,
    [Symbol.asyncDispose]: async () => {
      await stream.return();
    },
  };
  return stream;
}
