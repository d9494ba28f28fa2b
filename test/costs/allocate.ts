/** Bytes that calls allocate, in a process whose young generation is so large that nothing is collected while they run. */
import { call, coreServer, idIn, messageOf } from "./core.js";

/** Bytes per call, and per event of a stream. */
export interface Allocated {
  readonly send: number;
  readonly get: number;
  readonly event: number;
}

const CALLS = 800;
const EVENTS = 4_000;
const WARM = 400;

const inUse = (): number => process.memoryUsage().heapUsed;

/** The least of three: a collection, or code that is compiled meanwhile, only adds. */
async function least(times: number, run: () => Promise<unknown>): Promise<number> {
  let bytes = Infinity;
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc?.();
    const before = inUse();
    await run();
    bytes = Math.min(bytes, (inUse() - before) / times);
  }
  return bytes;
}

const again = async (times: number, run: () => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < times; n++) await run();
};

const server = coreServer();
// Adapters make one where somebody asks for it.
const { signal } = new AbortController();
const send = (): Promise<string> => call(server, "SendMessage", messageOf("hello world"), { signal });
await again(WARM, send);
const ofSend = await least(CALLS, () => again(CALLS, send));
const id = idIn(await send());
const get = (): Promise<string> => call(server, "GetTask", { id }, { signal });
await again(WARM, get);
const ofGet = await least(CALLS, () => again(CALLS, get));
const stream = (): Promise<string> =>
  call(server, "SendStreamingMessage", messageOf(`stream:${String(EVENTS)}`), { signal });
await again(2, stream);
const allocated: Allocated = { send: ofSend, get: ofGet, event: await least(EVENTS, stream) };
process.stdout.write(JSON.stringify(allocated));
process.exit(0);
