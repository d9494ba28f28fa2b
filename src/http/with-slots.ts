import type { HttpHandler, HttpRequest, HttpResponse } from "./types.js";

/** Wraps a handler so that at most `limit` requests, open streams among them, are served at once. */
export function withSlots(
  handle: HttpHandler,
  limit: number,
  refuse: (request: HttpRequest) => Promise<HttpResponse>,
): HttpHandler {
  let taken = 0;
  const release = (): void => {
    taken -= 1;
  };
  return async (request) => {
    if (taken >= limit) return refuse(request);
    taken += 1;
    const reply = await handle(request).catch((error: unknown) => {
      release();
      throw error;
    });
    if (typeof reply.body === "string") release();
    else return { ...reply, body: released(reply.body, release) };
    return reply;
  };
}

/** A body that tells when it is over, read to its end or not. */
const released = (body: AsyncIterable<string>, release: () => void): AsyncIterable<string> => ({
  [Symbol.asyncIterator]() {
    const source: AsyncIterator<string, unknown> = body[Symbol.asyncIterator]();
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      release();
    };
    return {
      async next(): Promise<IteratorResult<string, unknown>> {
        try {
          const step = await source.next();
          if (step.done === true) end();
          return step;
        } catch (error) {
          // Nobody asks again after a failure.
          end();
          throw error;
        }
      },
      async return(): Promise<IteratorResult<string, unknown>> {
        end();
        await source.return?.();
        return { done: true, value: undefined };
      },
    };
  },
});
