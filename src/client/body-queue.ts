import type { ByteReader } from "./fetch-like.js";

/** What a connection may deliver ahead of its reader, in bytes: two reads of a socket. */
const AHEAD = 131_072;

/** The bytes of a reply between the connection, which pushes them, and who reads. */
export interface BodyQueue extends ByteReader {
  /** False where enough waits: `resume` tells when more may come. */
  readonly push: (chunk: Uint8Array) => boolean;
  end(): void;
  fail(error: unknown): void;
}

type Chunk = Awaited<ReturnType<ByteReader["read"]>>;

interface Waiter {
  resolve(chunk: Chunk): void;
  reject(error: unknown): void;
}

/** `resume` and `cancel` are told to the connection; `cancel` where somebody reads no further. */
export function bodyQueue(resume: () => void, cancel: (reason: unknown) => void): BodyQueue {
  const chunks: Uint8Array[] = [];
  let ahead = 0;
  let paused = false;
  let over: { readonly error?: unknown } | undefined;
  let waiter: Waiter | undefined;

  const settle = (): void => {
    const waiting = waiter;
    if (waiting === undefined || over === undefined) return;
    waiter = undefined;
    if ("error" in over) waiting.reject(over.error);
    else waiting.resolve({ done: true });
  };
  const finish = (how: { readonly error?: unknown }): void => {
    over ??= how;
    settle();
  };

  return {
    push(chunk) {
      const waiting = waiter;
      if (waiting) {
        waiter = undefined;
        waiting.resolve({ done: false, value: chunk });
        return true;
      }
      chunks.push(chunk);
      ahead += chunk.length;
      paused = ahead >= AHEAD;
      return !paused;
    },
    end: () => {
      finish({});
    },
    fail(error) {
      finish({ error });
    },
    read: () =>
      new Promise<Chunk>((resolve, reject) => {
        const value = chunks.shift();
        if (value === undefined) {
          waiter = { resolve, reject };
          settle();
          return;
        }
        ahead -= value.length;
        resolve({ done: false, value });
        if (!paused || ahead >= AHEAD) return;
        paused = false;
        resume();
      }),
    cancel(reason) {
      chunks.length = 0;
      if (over === undefined) {
        finish({});
        cancel(reason);
      }
      return Promise.resolve();
    },
  };
}
