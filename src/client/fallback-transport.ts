import { isA2AError } from "../errors.js";
import type {
  Transport,
  TransportEvent,
  TransportReply,
  TransportRequest,
  TransportStream,
} from "./transport.js";
import { isUnreached } from "./unreached.js";

/** One way to reach the agent; opened when it is its turn. */
export type Opener = () => Promise<Transport>;

/** A transport that has settled on one of several ways, or will with the first answer. */
export interface FallbackTransport extends Transport {
  /** Index of the way that is taken. */
  readonly current: number;
}

/**
 * Tries one way after another until the agent answers, then stays with that one. The next is tried only where nothing
 * can have been processed: nobody listens, or the peer knows neither the method nor the version. Where no other way
 * leads further, the first failure is thrown and nothing has changed.
 */
export function fallbackTransport(openers: readonly [Opener, ...Opener[]]): FallbackTransport {
  const opened = new Map<number, Promise<Transport>>();
  let current = 0;
  let settled = false;

  const open = (index: number): Promise<Transport> => {
    let transport = opened.get(index);
    if (!transport) {
      transport = (openers[index] ?? openers[0])();
      opened.set(index, transport);
    }
    return transport;
  };

  async function attempt<T>(call: (transport: Transport) => Promise<T>): Promise<T> {
    if (settled) return call(await open(current));
    const start = current;
    let first: unknown;
    for (let index = start; index < openers.length; index++) {
      const settle = (): void => {
        if (!settled) current = index;
        settled = true;
      };
      try {
        const result = await call(await open(index));
        settle();
        return result;
      } catch (error) {
        if (index === start) first = error;
        if (isElsewhere(error)) continue;
        // An operation that this way does not have says nothing about the peer behind it.
        if (index > start && isA2AError(error, "UNSUPPORTED_OPERATION")) continue;
        if (!isLocal(error)) settle();
        throw error;
      }
    }
    throw first;
  }

  return {
    get current() {
      return current;
    },
    get binding() {
      return "ANY";
    },
    unary: (request: TransportRequest): Promise<TransportReply> =>
      attempt((transport) => transport.unary(request)),
    stream: (request: TransportRequest): Promise<TransportStream> =>
      attempt(async (transport) => {
        const stream = await transport.stream(request);
        // A refusal may come as the first event.
        return settled ? stream : { ...stream, events: await begun(stream.events) };
      }),
    async close() {
      const transports = await Promise.allSettled(opened.values());
      for (const one of transports) if (one.status === "fulfilled") await one.value.close?.();
    },
  };
}

/** The events with the first of them fetched. */
async function begun(events: AsyncIterable<TransportEvent>): Promise<AsyncIterable<TransportEvent>> {
  const source = events[Symbol.asyncIterator]();
  let step = await source.next();
  async function* rest(): AsyncGenerator<TransportEvent, void, undefined> {
    try {
      while (!step.done) {
        yield step.value;
        step = await source.next();
      }
    } finally {
      await source.return?.();
    }
  }
  return rest();
}

/** Nobody there, or nobody who knows what was asked. */
function isElsewhere(error: unknown): boolean {
  if (!isA2AError(error)) return false;
  const { reason, status } = error;
  if (reason === "METHOD_NOT_FOUND" || reason === "VERSION_NOT_SUPPORTED") return true;
  if (reason === "HTTP") return status === 404 || status === 405 || status === 501;
  return isUnreached(error);
}

/** Failures of this side: they say nothing about the peer. */
const isLocal = (error: unknown): boolean =>
  !isA2AError(error) || /^(NETWORK|TIMEOUT|ABORTED|CONFIG|INVALID_PARAMS)$/.test(error.reason);
