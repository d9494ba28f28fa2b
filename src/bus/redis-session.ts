import type { Redis } from "ioredis";
import { A2AError } from "../errors.js";
import { heartbeat } from "./heartbeat.js";
import { scrubber } from "./scrubber.js";
import type { OpenSession, Session, SessionEvents } from "./session.js";

/** How long opening may take, ms. */
const OPENING = 5_000;
/** How long one read waits for messages, ms; well below what the heartbeat bears. */
const WAIT = 1_000;
/** Messages of one read. */
const PAGE = 256;

/** Starts of replies that another try does not change. */
const WRONG_SETUP =
  /WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|invalid password|AUTH <password>|no password is set|DB index|unknown command/;

/** Sessions on one stream. They go on where the one before stopped, so that nothing is missed that the stream still has. */
export function redisSessions(
  Client: typeof Redis,
  { url, key, maxLength }: { readonly url: string; readonly key: string; readonly maxLength: number },
): OpenSession {
  const scrub = scrubber(url);
  let last: string | undefined;

  const read = async (reader: Redis, alive: () => void, text: (text: string) => void): Promise<never> => {
    for (;;) {
      const from = last ?? "0-0";
      const reply = await reader.xread("COUNT", PAGE, "BLOCK", WAIT, "STREAMS", key, from);
      alive();
      for (const [id, [, message = ""]] of reply?.[0]?.[1] ?? []) {
        last = id;
        text(message);
      }
    }
  };

  return async ({ text, ended, signal }: SessionEvents): Promise<Session> => {
    let cause = "the connection was lost";
    const connection = (): Redis => {
      const redis = new Client(url, {
        lazyConnect: true,
        enableOfflineQueue: false,
        // The next session has connections of its own.
        retryStrategy: () => null,
        connectTimeout: OPENING,
        disableClientInfo: true,
      });
      // Of a reply only the message: it comes with the arguments of its command, and AUTH has the password there.
      redis.on("error", (error: Error) => {
        cause = scrub(error.message);
      });
      redis.on("close", () => {
        beats.forEach((beat) => beat.stop());
        ended(`Redis: ${cause}`);
        // One without the other is of no use.
        destroy();
      });
      return redis;
    };
    const writer = connection();
    const reader = connection();
    const destroy = (): void => {
      for (const redis of [writer, reader]) {
        redis.disconnect();
        // A peer that answers no more would not answer the end of the connection either.
        (redis.stream as { destroy(): void } | undefined)?.destroy();
      }
    };
    const beats: { stop(): void }[] = [];
    const limit = AbortSignal.any([signal, AbortSignal.timeout(OPENING)]);
    limit.addEventListener("abort", destroy);
    try {
      await Promise.all([writer.connect(), reader.connect()]);
      const [newest] = await reader.xrevrange(key, "+", "-", "COUNT", 1);
      const end = newest?.[0] ?? "0-0";
      // A stream that ends before what was read from it is another one: the server came back without its data.
      if (last === undefined || isBefore(end, last)) last = end;
    } catch (error) {
      destroy();
      const why =
        cause === "the connection was lost" && error instanceof Error ? scrub(error.message) : cause;
      throw new A2AError(WRONG_SETUP.test(why) ? "CONFIG" : "NETWORK", `bus: Redis: ${why}`);
    } finally {
      limit.removeEventListener("abort", destroy);
    }
    const dead = (): void => {
      cause = "the other side does not answer";
      destroy();
    };
    const reading = heartbeat(dead);
    const writing = heartbeat(dead, () => writer.ping());
    beats.push(reading, writing);
    read(reader, () => reading.alive(), text).catch((error: unknown) => {
      if (reader.status === "ready" && error instanceof Error) cause = scrub(error.message);
      destroy();
    });

    return {
      async send(texts) {
        const pipeline = writer.pipeline();
        for (const message of texts) pipeline.xadd(key, "MAXLEN", "~", maxLength, "*", "m", message);
        for (const [error] of (await pipeline.exec()) ?? []) {
          if (!error) continue;
          cause = scrub(error.message);
          throw new A2AError(WRONG_SETUP.test(cause) ? "CONFIG" : "NETWORK", `bus: Redis: ${cause}`);
        }
        writing.alive();
      },
      async close() {
        const closed = [writer, reader].map((redis) => closing(redis));
        destroy();
        await Promise.all(closed);
      },
    };
  };
}

/** Resolves when its socket is closed. */
const closing = (redis: Redis): Promise<void> =>
  new Promise((resolve) => {
    if (redis.status === "end" || redis.status === "wait") resolve();
    else redis.once("end", resolve);
  });

/** Whether one id of a stream (`<ms>-<n>`) comes before another. */
function isBefore(a: string, b: string): boolean {
  const [aMs = 0, aN = 0] = a.split("-").map(Number);
  const [bMs = 0, bN = 0] = b.split("-").map(Number);
  return aMs < bMs || (aMs === bMs && aN < bN);
}
