/**
 * Idle subscribers of one task: `npm run test:subscribers -- --scale 1` (10,000 of them; default 0.1). What one costs is
 * compared with a connection of bare `node:http`, measured alike in the same run. Exit code 1 where a limit is passed.
 */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { parseArgs } from "node:util";
import { createClient, jsonRpc } from "../../src/index.js";
import { pivot, userMessage } from "../../src/versions/pivot.js";
import { bundle } from "./bundle.js";
import { startPeer, type Peer } from "./protocol.js";

const FULL = 10_000;
/** Bytes per subscriber against a bare connection. */
const RATIO = 1.3;
/** Share of what the subscribers took that may remain when they are gone. */
const REST = 0.1;
const STALLED = 1024 * 1024;
/** Events of 1 kB that it does not read. */
const EVENTS = 20_000;
/** Milliseconds within which it is cut. */
const CUT_WITHIN = 15_000;

const { values } = parseArgs({ options: { scale: { type: "string", default: "0.1" } } });
const count = affordable(Math.round(FULL * Number(values.scale)));
console.log(`scale ${values.scale}: ${String(count)} subscribers`);

const file = await bundle(["server-raw", "server-ours", "clients"]);

let passed = 0;
let failed = 0;
const check = (name: string, holds: boolean, figure: string): void => {
  if (holds) passed++;
  else failed++;
  console.log(`${holds ? "ok    " : "FAILED"} ${name}: ${figure}`);
};

/** As many as there may be open files, less some for the process itself. */
function affordable(wanted: number): number {
  const open = Number(/Max open files\s+\S+\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
  if (!(open - 200 < wanted)) return wanted;
  console.log(`only ${String(open)} files may be open: fewer subscribers than asked for`);
  return open - 200;
}

interface Crowd {
  /** Bytes of one subscriber. */
  readonly each: number;
  readonly seen: number;
  /** Bytes that remain of each when all are gone. */
  readonly rest: number;
}

/** Subscribers come, get one event, and go. */
async function crowd(server: Peer, port: number, request: string): Promise<Crowd> {
  await using clients = startPeer(file("clients"));
  // What the first connections make once is no cost of any of them.
  await clients.ask({ ask: "open", count: 100, port, request });
  await clients.ask({ ask: "close" });
  const before = await server.ask({ ask: "heap" });
  await clients.ask({ ask: "open", count, port, request });
  const full = await server.ask({ ask: "heap" });
  await server.ask({ ask: "emit", events: 1, size: 10 });
  const seen = await clients.ask({ ask: "seen", events: 2 });
  await clients.ask({ ask: "close" });
  let after = await server.ask({ ask: "heap" });
  // The server learns of closed sockets in its own time.
  for (let tries = 0; tries < 50 && after - before > REST * (full - before); tries++)
    after = await server.ask({ ask: "heap" });
  return { each: (full - before) / count, seen, rest: (after - before) / count };
}

const post = (body: string): string =>
  "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n" +
  `A2A-Version: 1.0\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`;
const subscription = (id: string): string =>
  post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }));

/** Starts a task that goes on. */
async function begin(port: number): Promise<string> {
  await using client = createClient(pivot, jsonRpc({ url: `http://127.0.0.1:${String(port)}/` }));
  const { task } = await client.sendMessage({
    message: userMessage("talk"),
    configuration: { returnImmediately: true },
  });
  return task?.id ?? "";
}

let bare: Crowd;
{
  await using raw = startPeer(file("server-raw"));
  bare = await crowd(raw, await raw.next(), subscription("t"));
}
{
  await using ours = startPeer(file("server-ours"));
  const port = await ours.next();
  const own = await crowd(ours, port, subscription(await begin(port)));
  const ratio = own.each / bare.each;
  check(
    "heap of a subscriber",
    ratio <= RATIO,
    `${own.each.toFixed(0)} bytes, ${ratio.toFixed(2)} × ${bare.each.toFixed(0)} of a bare connection (≤ ${String(RATIO)})`,
  );
  check("an event reaches all", own.seen === count, `${String(own.seen)} of ${String(count)}`);
  check(
    "the heap comes back",
    own.rest <= REST * own.each,
    `${own.rest.toFixed(0)} bytes of each remain (≤ ${String(REST * 100)} %; bare: ${bare.rest.toFixed(0)})`,
  );
}

/** Sockets let go of what they wrote, and learn that they were closed, in their own time. */
async function settledHeap(server: Peer): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 20; tries++) least = Math.min(least, await server.ask({ ask: "heap" }));
  return least;
}

/**
 * Bytes that a server gets back when a subscriber goes that never read. Another one reads: the text of events is shared by
 * all who listen, and no cost of any of them.
 */
async function stalledCost(): Promise<{ readonly before: number; readonly cut: number }> {
  await using ours = startPeer(file("server-ours"));
  const port = await ours.next();
  const id = await begin(port);
  await using reader = startPeer(file("clients"));
  await reader.ask({ ask: "open", count: 1, port, request: subscription(id) });
  const stalled = connect(port, "127.0.0.1").on("error", () => undefined);
  stalled.write(subscription(id));
  await new Promise((resolve) => stalled.once("readable", resolve));
  await ours.ask({ ask: "emit", events: EVENTS, size: 1_000 });
  await reader.ask({ ask: "seen", events: EVENTS });
  const before = await settledHeap(ours);
  // It is cut some seconds later; the time until then is the server's to choose, and nothing tells of it but the heap.
  let cut = before;
  for (const end = Date.now() + CUT_WITHIN; before - cut < STALLED && Date.now() < end;)
    cut = await settledHeap(ours);
  stalled.destroy();
  const gone = await settledHeap(ours);
  return { before: before - gone, cut: cut - gone };
}
const kib = (bytes: number): string => (bytes / 1024).toFixed(0);
const { before, cut } = await stalledCost();
check(
  "a subscriber that never reads, when it was cut",
  cut <= STALLED,
  `${kib(cut)} KiB (≤ ${kib(STALLED)})`,
);
console.log(
  `       until then it held ${kib(before)} KiB of ${String(EVENTS)} events of 1 kB that came at once`,
);

console.log(`${String(passed)} passed, ${String(failed)} failed`);
if (failed > 0) process.exitCode = 1;
