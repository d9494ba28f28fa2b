import { describe, expect, it } from "vitest";
import { A2A, userMessage, type StreamResponse } from "../../generated/v1.0/index.js";
import { SKIPPED, TakeMapped } from "../../src/client/take-mapped.js";
import { TakePieces } from "../../src/client/take-pieces.js";
import {
  A2AError,
  createClient,
  type ClientStream,
  type Transport,
  type TransportEvent,
} from "../../src/index.js";
import { chunk, drain, failure, status, task } from "./support.js";

/** Pieces of a stream, and whether it was closed. */
function piecesOf<T>(pieces: readonly (Iterable<T> | Promise<never>)[]): {
  readonly closed: () => number;
  readonly source: TakePieces<T, T>;
} {
  const left = [...pieces];
  let closed = 0;
  const source = new TakePieces<T, T>({
    more: () => Promise.resolve(left.shift()),
    read: (value) => {
      if (value === "bad") throw new Error("bad");
      return value;
    },
    close: () => (closed += 1),
  });
  return { closed: () => closed, source };
}

async function all<T>(source: AsyncIterable<T>): Promise<(T | Error)[]> {
  const got: (T | Error)[] = [];
  try {
    for await (const value of source) got.push(value);
  } catch (error) {
    got.push(error as Error);
  }
  return got;
}

describe("pieces of a stream", () => {
  it("are handed on one by one, empty ones too, and closed once at the end", async () => {
    const { source, closed } = piecesOf([[1, 2], [], [3]]);
    expect(await all(source)).toEqual([1, 2, 3]);
    expect(await source.next()).toEqual({ done: true, value: undefined });
    expect(closed()).toBe(1);
  });

  it.each<[string, Iterable<unknown>[]]>([
    ["that cannot be read", [["a", "bad", "b"], ["c"]]],
    [
      "that fails on the way",
      [
        (function* () {
          yield "a";
          throw new Error("bad");
        })(),
        ["c"],
      ],
    ],
  ])("end with one %s, after those before it", async (_, pieces) => {
    const { source, closed } = piecesOf(pieces);
    expect(await all(source)).toEqual(["a", new Error("bad")]);
    expect(await source.next()).toEqual({ done: true, value: undefined });
    expect(closed()).toBe(1);
  });

  it("wake who waits when nobody reads on", async () => {
    const { source, closed } = piecesOf<number>([new Promise<never>(() => undefined)]);
    const waiting = source.next();
    await source.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(closed()).toBe(1);
  });
});

describe("a mapped stream", () => {
  const numbers = (count: number): Iterable<number> => Array.from({ length: count }, (_, index) => index);

  it("hands on what the mapping makes, at once or later, in order", async () => {
    const { source } = piecesOf([numbers(6)]);
    const mapped = new TakeMapped<number, string>(source, {
      value: (value) => (value % 2 === 0 ? String(value) : Promise.resolve(`later ${String(value)}`)),
    });
    expect(await all(mapped)).toEqual(["0", "later 1", "2", "later 3", "4", "later 5"]);
  });

  it("passes over any number of values", async () => {
    const { source } = piecesOf([numbers(200_000)]);
    const mapped = new TakeMapped<number, number>(source, {
      value: (value) => (value === 199_999 ? value : SKIPPED),
    });
    expect(await all(mapped)).toEqual([199_999]);
  });

  it("ends with what the mapping throws, and closes its source", async () => {
    for (const fail of [(): never => raise(), () => Promise.reject(new Error("refused"))]) {
      const { source, closed } = piecesOf([numbers(3)]);
      const mapped = new TakeMapped<number, number>(source, {
        value: (value) => (value === 1 ? fail() : value),
      });
      expect(await all(mapped)).toEqual([0, new Error("refused")]);
      expect(closed()).toBe(1);
    }
  });

  it("reads a source that gives promises only", async () => {
    async function* source(): AsyncGenerator<number> {
      yield* [1, 2];
      await Promise.reject(new Error("bad"));
    }
    const mapped = new TakeMapped<number, number>(source(), { value: (value) => value * 10 });
    expect(await all(mapped)).toEqual([10, 20, new Error("bad")]);
    const ended = new TakeMapped<number, number>(source(), {
      value: (value) => value,
      failed: () => undefined,
    });
    expect(await all(ended)).toEqual([1, 2]);
  });
});

const raise = (): never => {
  throw new Error("refused");
};

/** A stream of these events, in pieces, from a transport that does not care about signals. */
function streamOf(
  pieces: readonly (readonly object[] | Promise<never>)[],
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const { source, closed } = piecesOf<TransportEvent>(
    pieces.map((piece) =>
      Array.isArray(piece) ? piece.map((data: object) => ({ data })) : (piece as Promise<never>),
    ),
  );
  const transport: Transport = {
    binding: "TEST",
    unary: () => Promise.reject(new Error("not asked")),
    stream: () => Promise.resolve({ events: source, headers: {} }),
  };
  const stream: ClientStream<StreamResponse> = createClient(A2A, transport).sendStreamingMessage(
    { message: userMessage("go") },
    options,
  );
  return { stream, closed };
}
const never = (): Promise<never> => new Promise(() => undefined);
const textOf = ({ value }: IteratorResult<StreamResponse, undefined>): string | undefined =>
  value?.artifactUpdate?.artifact.parts[0]?.text;

describe("a client stream", () => {
  const working = task("TASK_STATE_WORKING");
  const completed = status("TASK_STATE_COMPLETED");

  it("answers several next() in their order, whatever they wait for", async () => {
    const { stream } = streamOf([[working], [chunk("1"), chunk("2")], [chunk("3"), completed]]);
    const steps = await Promise.all(Array.from({ length: 7 }, () => stream.next()));
    expect(steps.map(textOf)).toEqual([undefined, "1", "2", "3", undefined, undefined, undefined]);
    expect(steps.map(({ done }) => done)).toEqual([false, false, false, false, false, true, true]);
  });

  it("ends for who waits, and lets go of its source, when it is returned, aborted, or too long without an event", async () => {
    const returned = streamOf([[working], never()]);
    expect((await returned.stream.next()).done).toBe(false);
    const waiting = returned.stream.next();
    await returned.stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(returned.closed()).toBe(1);

    const controller = new AbortController();
    const aborted = streamOf([[working], never()], { signal: controller.signal });
    await aborted.stream.next();
    const failing = failure(aborted.stream.next());
    controller.abort(new A2AError("ABORTED", "enough"));
    expect((await failing).message).toBe("enough");
    expect(aborted.closed()).toBe(1);

    const silent = streamOf([[working], never()], { timeoutMs: 1_000 });
    const { events, error } = await drain(silent.stream);
    expect(events.length).toBe(1);
    expect(error?.reason).toBe("TIMEOUT");
    expect(silent.closed()).toBe(1);
  });

  it("gives nothing of a piece after its signal has fired", async () => {
    const controller = new AbortController();
    const { stream, closed } = streamOf([[working, chunk("1"), chunk("2")]], { signal: controller.signal });
    await stream.next();
    expect(textOf(await stream.next())).toBe("1");
    controller.abort(new A2AError("ABORTED", "enough"));
    expect((await failure(stream.next())).message).toBe("enough");
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(closed()).toBe(1);
  });
});
