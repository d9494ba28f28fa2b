import type { Transport, TransportEvent } from "../client/transport.js";
import { A2AError } from "../errors.js";
import { later } from "../task/clock.js";
import { readLines, type RecordedError, type RecordedLine } from "./recording.js";

/** How a recording is played. */
export interface PlayOptions {
  /** 0 (default): as fast as it is read. 1: with the pauses of the recording; 10: ten times as fast. */
  readonly speed?: number;
}

/**
 * Plays a recording back as a transport: each call takes the next recorded one of its method. A recording of events
 * alone answers every stream.
 */
export function playTransport(lines: string, { speed = 0 }: PlayOptions = {}): Transport {
  const calls = group(readLines(lines));
  const next = (methodName: string): RecordedLine[] => {
    const at = calls.findIndex(({ call }) => call === methodName);
    const found = at < 0 ? calls.find(({ call }) => call === "") : calls.splice(at, 1)[0];
    if (found === undefined)
      throw new A2AError("CONFIG", `The recording has no further call of ${methodName}`);
    return found.lines;
  };

  async function* events(
    recorded: readonly RecordedLine[],
    signal: AbortSignal,
  ): AsyncGenerator<TransportEvent, void> {
    let at = 0;
    for (const line of recorded) {
      if (speed > 0 && "ms" in line && line.ms > at) await pause((line.ms - at) / speed);
      if ("ms" in line) at = line.ms;
      signal.throwIfAborted();
      if ("error" in line) throw failure(line.error);
      if ("event" in line) yield { data: line.event, ...(line.id !== undefined && { id: line.id }) };
    }
  }

  return {
    binding: "RECORDING",
    unary({ methodName }) {
      for (const line of next(methodName)) {
        if ("error" in line) return Promise.reject(failure(line.error));
        if ("output" in line) return Promise.resolve({ output: line.output, headers: line.headers });
      }
      return Promise.reject(new A2AError("CONFIG", `The recorded call of ${methodName} has no reply`));
    },
    stream({ methodName, signal }) {
      const recorded = next(methodName);
      const [first] = recorded;
      if (first !== undefined && "error" in first) return Promise.reject(failure(first.error));
      const headers = first !== undefined && "stream" in first ? first.stream : {};
      return Promise.resolve({ headers, events: events(recorded, signal) });
    },
  };
}

interface RecordedCall {
  /** Method; empty for events that were recorded without a call. */
  readonly call: string;
  readonly lines: RecordedLine[];
}

function group(lines: readonly RecordedLine[]): RecordedCall[] {
  const calls: RecordedCall[] = [];
  for (const line of lines) {
    if ("call" in line) calls.push({ call: line.call, lines: [] });
    else {
      if (calls.length === 0) calls.push({ call: "", lines: [] });
      calls.at(-1)?.lines.push(line);
    }
  }
  return calls;
}

const failure = ({ reason, message, ...rest }: RecordedError): A2AError =>
  new A2AError(reason, message, rest);

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    later(ms, resolve);
  });
