import type { Transport, TransportEvent } from "../client/transport.js";
import { recordError, toLine, type RecordedLine, type RecordingSink } from "./recording.js";

/** A transport that writes what passes through it as JSON lines; for one call at a time. */
export function recordTransport(
  transport: Transport,
  sink: RecordingSink,
  now: () => number = Date.now,
): Transport {
  const write = (line: RecordedLine): void => {
    sink(toLine(line));
  };

  async function* events(
    source: AsyncIterable<TransportEvent>,
    started: number,
  ): AsyncGenerator<TransportEvent, void> {
    try {
      for await (const event of source) {
        const id = event.id === undefined ? {} : { id: event.id };
        write({ event: event.data, ...id, ms: now() - started });
        yield event;
      }
      write({ end: true, ms: now() - started });
    } catch (error) {
      write({ error: recordError(error), ms: now() - started });
      throw error;
    }
  }

  async function begin<T>(
    name: string,
    input: unknown,
    call: () => Promise<T>,
  ): Promise<{ reply: T; started: number }> {
    const started = now();
    write({ call: name, input });
    try {
      return { reply: await call(), started };
    } catch (error) {
      write({ error: recordError(error), ms: now() - started });
      throw error;
    }
  }

  return {
    binding: transport.binding,
    async unary(request) {
      const { reply } = await begin(request.methodName, request.input, () => transport.unary(request));
      write({ output: reply.output, headers: reply.headers });
      return reply;
    },
    async stream(request) {
      const { reply, started } = await begin(request.methodName, request.input, () =>
        transport.stream(request),
      );
      write({ stream: reply.headers });
      return { headers: reply.headers, events: events(reply.events, started) };
    },
    ...(transport.close && { close: () => transport.close?.() ?? Promise.resolve() }),
  };
}
