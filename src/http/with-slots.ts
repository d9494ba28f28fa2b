import type { Slots } from "./slots.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "./types.js";

/** Wraps a handler so that no more requests, open streams among them, are served at once than there are slots. */
export function withSlots(
  handle: HttpHandler,
  slots: Slots,
  refuse: (request: HttpRequest) => Promise<HttpResponse>,
): HttpHandler {
  const release = (): void => slots.release();
  return async (request) => {
    if (!slots.take()) return refuse(request);
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
