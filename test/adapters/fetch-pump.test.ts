/** A stream in the body of a `Response`: what readers of it may do, and what its source hears of them. */
import { describe, expect, it } from "vitest";
import { FetchPump } from "../../src/adapter/fetch-pump.js";

interface Source extends AsyncIterableIterator<string> {
  readonly asked: number;
  readonly returned: number;
  answer(text: string): void;
  end(): void;
  fail(error: Error): void;
}

/** A source that is answered by hand, and does not allow a second question before the first is answered. */
function source(): Source {
  let waiting: { resolve: (r: IteratorResult<string>) => void; reject: (e: Error) => void } | undefined;
  const settle = (): NonNullable<typeof waiting> => {
    if (waiting === undefined) throw new Error("nobody has asked");
    const settled = waiting;
    waiting = undefined;
    return settled;
  };
  let asked = 0;
  let returned = 0;
  return {
    get asked() {
      return asked;
    },
    get returned() {
      return returned;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () =>
      new Promise((resolve, reject) => {
        if (waiting !== undefined) throw new Error("asked twice");
        asked += 1;
        waiting = { resolve, reject };
      }),
    return: () => {
      returned += 1;
      return Promise.resolve({ done: true, value: undefined });
    },
    answer: (value) => settle().resolve({ done: false, value }),
    end: () => settle().resolve({ done: true, value: undefined }),
    fail: (error) => settle().reject(error),
  };
}

interface Body {
  readonly caller: AbortController;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
}

/** A body that has begun: until a stream has, it asks for nothing. */
async function bodyOf(of: Source, caller = new AbortController()): Promise<Body> {
  const stream = new ReadableStream<Uint8Array>(new FetchPump(of, caller), { highWaterMark: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  return { caller, reader: stream.getReader() };
}
const text = ({ value }: ReadableStreamReadResult<Uint8Array>): string => new TextDecoder().decode(value);

describe("the body of a Response", () => {
  it("asks for nothing before somebody reads", async () => {
    const of = source();
    const { reader } = await bodyOf(of);
    expect(of.asked).toBe(0);
    const read = reader.read();
    expect(of.asked).toBe(1);
    of.answer("é 中\n");
    expect(text(await read)).toBe("é 中\n");
    expect(of.asked).toBe(1);
  });

  it("answers several reads in their order, one question after the other", async () => {
    const of = source();
    const { reader } = await bodyOf(of);
    const reads = [reader.read(), reader.read(), reader.read()];
    for (const [at, word] of ["a", "b", "c"].entries()) {
      expect(of.asked).toBe(at + 1);
      of.answer(word);
      expect(text((await reads[at]) ?? expect.fail())).toBe(word);
    }
  });

  it("ends with its source", async () => {
    const of = source();
    const { reader } = await bodyOf(of);
    const reads = [reader.read(), reader.read()];
    of.end();
    for (const read of reads) expect((await read).done).toBe(true);
    expect(of.asked).toBe(1);
  });

  it("fails with its source", async () => {
    const of = source();
    const { reader } = await bodyOf(of);
    const read = reader.read();
    of.fail(new Error("gone"));
    await expect(read).rejects.toThrow("gone");
  });

  it("ends its source once when it is cancelled, and takes no answer after that", async () => {
    const of = source();
    const { reader, caller } = await bodyOf(of);
    const read = reader.read();
    await reader.cancel();
    expect((await read).done).toBe(true);
    expect(of.returned).toBe(1);
    expect(caller.signal.aborted).toBe(true);
    of.answer("late");
    expect((await reader.read()).done).toBe(true);
  });

  it("ends its source when the caller goes away, also before the body was there", async () => {
    const later = source();
    (await bodyOf(later)).caller.abort();
    expect(later.returned).toBe(1);
    const before = source();
    const gone = new AbortController();
    gone.abort();
    await bodyOf(before, gone);
    expect(before.returned).toBe(1);
  });

  it("hears of no caller once it has ended", async () => {
    const of = source();
    const { reader, caller } = await bodyOf(of);
    const read = reader.read();
    of.end();
    await read;
    caller.abort();
    expect(of.returned).toBe(0);
  });
});
