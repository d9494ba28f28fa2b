/**
 * Idle subscribers of one task: `npm run test:subscribers -- --scale 1` (10,000 of them; default 0.1). What one costs is
 * compared with a connection of bare `node:http`, measured alike in the same run. Exit code 1 where a limit is passed.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
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
/** Bytes that one may cost which never reads. */
const STALLED = 1024 * 1024;
/** Events of 1 kB that it does not read, and parts in which they come, with a look at the heap after each. */
const EVENTS = 20_000;
const PARTS = 4;
/** Milliseconds without reading after which it is cut, and by when that has happened. */
const STALL_MS = 5_000;
const CUT_BY = 8_000;

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

/**
 * Times that all come and go. The least of each figure counts: what a process makes once, compiled code and room in its
 * lists, comes on top in the first rounds, and is no cost of any subscriber.
 */
const ROUNDS = 3;

async function crowd(server: Peer, port: number, request: string): Promise<Crowd> {
  await using clients = startPeer(file("clients"));
  const rounds: Crowd[] = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await round(server, clients, port, request));
  const least = (figure: (of: Crowd) => number): number => Math.min(...rounds.map(figure));
  return {
    each: least(({ each }) => each),
    seen: least(({ seen }) => seen),
    rest: least(({ rest }) => rest),
  };
}

/** Subscribers come, get one event, and go. */
async function round(server: Peer, clients: Peer, port: number, request: string): Promise<Crowd> {
  const before = await settledHeap(server);
  await clients.ask({ ask: "open", count, port, request });
  const full = await settledHeap(server);
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

/** The least of several looks: sockets let go of what they wrote, and learn that they were closed, in their own time. */
async function settledHeap(server: Peer): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 3; tries++) least = Math.min(least, await server.ask({ ask: "heap" }));
  return least;
}

interface Burst {
  /** Bytes that came on top since before the burst, after each of its parts. */
  readonly during: readonly number[];
  /** The same when who does not read was cut. */
  readonly after: number;
  /** Events that who does not read finds when it does read, and whether its stream has ended. */
  readonly found: number;
  readonly ended: boolean;
}

/** Many events come, and one subscriber reads them all; `others` more never do. */
async function burst(others: number): Promise<Burst> {
  await using ours = startPeer(file("server-ours"));
  const port = await ours.next();
  const id = await begin(port);
  await using reader = startPeer(file("clients"));
  await reader.ask({ ask: "open", count: 1, port, request: subscription(id) });
  const before = await settledHeap(ours);
  const stalled = Array.from({ length: others }, () => connect(port, "127.0.0.1"));
  for (const socket of stalled) {
    socket.write(subscription(id));
    await new Promise((resolve) => socket.once("readable", resolve));
  }
  const during: number[] = [];
  const start = Date.now();
  for (let part = 1; part <= PARTS; part++) {
    await ours.ask({ ask: "emit", events: EVENTS / PARTS, size: 1_000 });
    await reader.ask({ ask: "seen", events: (part * EVENTS) / PARTS });
    const grown = (await settledHeap(ours)) - before;
    if (others === 0 || Date.now() - start < STALL_MS) during.push(grown);
  }
  // It is cut some seconds later, and nothing tells of that who does not read.
  await new Promise((resolve) => setTimeout(resolve, CUT_BY));
  const after = (await settledHeap(ours)) - before;
  const texts = await Promise.all(stalled.map(readAll));
  return {
    during,
    after,
    found: Math.max(0, ...texts.map((text) => text.split("\ndata:").length - 1)),
    ended: texts.every((text) => text.endsWith("\r\n0\r\n\r\n")),
  };
}

/** What waits in a socket, until the response ends or nothing more comes. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").setTimeout(2_000);
  await new Promise<void>((resolve) => {
    socket.on("timeout", resolve).on("close", resolve);
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.endsWith("\r\n0\r\n\r\n")) resolve();
    });
  });
  socket.destroy();
  return text;
}

const kib = (bytes: number): string => (bytes / 1024).toFixed(0);
/** The same burst with nobody who does not read: the text of events is shared by all who listen, and no cost of any of them. */
const alone = await burst(0);
const beside = await burst(1);
const cost = beside.during.map((grown, part) => grown - (alone.during[part] ?? Infinity));
const most = Math.max(...cost);
check(
  "a subscriber that never reads, while events come",
  cost.length > 0 && most <= STALLED,
  `${cost.map(kib).join(", ")} KiB after each ${String(EVENTS / PARTS)} events of 1 kB (≤ ${kib(STALLED)})`,
);
check(
  "a subscriber that never reads, when it was cut",
  beside.after - alone.after <= STALLED,
  `${kib(beside.after - alone.after)} KiB (≤ ${kib(STALLED)})`,
);
check(
  "it was cut",
  beside.ended && beside.found < EVENTS,
  `it finds ${String(beside.found)} of ${String(EVENTS)} events, and the end of its stream`,
);

console.log(`${String(passed)} passed, ${String(failed)} failed`);
if (failed > 0) process.exitCode = 1;
