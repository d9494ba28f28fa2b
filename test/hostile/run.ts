/**
 * Mutated requests against a server in a second process: `npm run test:hostile -- --scale 1 --seed 1`. Scale 1 is 100,000
 * requests per binding. Exit code 1 where an answer was malformed, told internals or was missing, the server failed or
 * grew, or a good request was not answered any more. The seed repeats a run.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { bindings, type BindingName } from "../rules/support.js";
import { mutate } from "./mutate.js";
import { createRandom } from "./random.js";
import { validRequests, type Draft } from "./valid-requests.js";
import { problemOf } from "./verdict.js";
import { Wire } from "./wire.js";

const { values } = parseArgs({ options: { scale: { type: "string" }, seed: { type: "string" } } });
const scale = Number(values.scale ?? "1");
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const total = Math.round(100_000 * scale);
const CONNECTIONS = 16;
/** Requests after which the heap is taken as the measure, once the store is full. */
const SETTLED = 10_000;
/** Of the server's `maxTasks` of 1,000; some tasks are those of other tenants. */
const FULL = 900;
const GROWTH = 1.2;

interface Told {
  readonly port?: number;
  readonly heap?: number;
  readonly logged?: readonly string[];
}
const told = async (child: ChildProcess): Promise<Told> => ((await once(child, "message")) as [Told])[0];

const failures: string[] = [];
const fail = (what: string): void => {
  if (failures.length < 40) console.error(what);
  failures.push(what);
};

/** Sends a good request and gives its task; undefined where it was not answered as it should be. */
async function good(port: number, text: string): Promise<string | undefined> {
  const message = { messageId: "good", role: "ROLE_USER", parts: [{ text }] };
  const reply = await fetch(`http://127.0.0.1:${String(port)}/message:send`, {
    method: "POST",
    headers: { "a2a-version": "1.0", "content-type": "application/json" },
    body: JSON.stringify({ message }),
  });
  const { task } = (await reply.json()) as { task?: { id: string } };
  return reply.status === 200 ? task?.id : undefined;
}

/** Tasks that the store holds for anonymous callers. */
async function stored(port: number): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${String(port)}/tasks?pageSize=1`, {
    headers: { "a2a-version": "1.0" },
  });
  return ((await reply.json()) as { totalSize: number }).totalSize;
}

async function attack(binding: BindingName): Promise<void> {
  const child = fork(new URL("server.ts", import.meta.url), { execArgv: ["--expose-gc", "--import", "tsx"] });
  let died = false;
  child.on("exit", () => (died = true));
  const { port = 0 } = await told(child);
  const random = createRandom(seed);
  const kinds = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  const heap = async (): Promise<number> => {
    child.send("heap");
    const { heap: bytes = 0, logged = [] } = await told(child);
    for (const line of logged) fail(`${binding}: the server logged ${line.slice(0, 600)}`);
    return bytes;
  };

  let sent = 0;
  let valid: readonly Draft[] = [];
  const wires = Array.from({ length: CONNECTIONS }, () => new Wire(port));
  const until = async (end: number): Promise<void> => {
    await Promise.all(
      wires.map(async (wire) => {
        while (sent < end && !died) {
          sent += 1;
          const one = mutate(random.pick(valid), random);
          for (const kind of one.kinds) count(kinds, kind);
          const reply = await wire.send(one.bytes, !one.framed);
          count(outcomes, reply.kind === "answer" ? String(reply.status) : reply.kind);
          const problem = problemOf(one, reply);
          if (problem === undefined) continue;
          const request = JSON.stringify(one.bytes.subarray(0, 700).toString("latin1"));
          fail(`${binding}: ${problem}\n  ${request}\n  ${JSON.stringify(reply).slice(0, 400)}`);
        }
      }),
    );
  };

  /** At most 1,000 requests more; a task that was canceled is no target any more, so they get a new one. */
  const some = async (end: number): Promise<void> => {
    const task = await good(port, "pause");
    if (task === undefined)
      fail(`${binding}: a good request was not answered after ${String(sent)} requests`);
    valid = validRequests(binding, task ?? "none");
    await until(end);
  };
  const isCompared = total >= 2 * SETTLED;
  // What a store holds is no growth: it is filled first, by requests that are not counted.
  while (isCompared && !died && (await stored(port)) < FULL) await some(sent + 1_000);
  const first = sent;
  if (first > 0) console.log(`${binding}: the store is full after ${String(first)} requests`);

  let settled = 0;
  for (let end = 0; end < total && !died;) {
    end = Math.min(total, end + 1_000);
    await some(first + end);
    if (end === SETTLED) settled = await heap();
  }
  for (const wire of wires) wire.close();
  if (died) fail(`${binding}: the server died after ${String(sent)} requests`);
  else {
    const last = await heap();
    if (!isCompared)
      console.log(`${binding}: heap not compared, a run needs ${String(2 * SETTLED)} requests for that`);
    else if (last > settled * GROWTH) fail(`${binding}: the heap grew from ${mib(settled)} to ${mib(last)}`);
    else
      console.log(
        `${binding}: heap ${mib(settled)} after ${String(SETTLED)} requests, ${mib(last)} at the end`,
      );
    if ((await good(port, "done")) === undefined)
      fail(`${binding}: a good request was not answered at the end`);
    child.disconnect();
  }
  const list = (map: Map<string, number>): string =>
    [...map]
      .sort()
      .map(([key, n]) => `${key} ${String(n)}`)
      .join(", ");
  console.log(`${binding}: ${String(sent)} requests; faults: ${list(kinds)}`);
  console.log(`${binding}: answers: ${list(outcomes)}`);
}

const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

console.log(
  `hostile input: scale ${String(scale)}, ${String(total)} requests per binding, seed ${String(seed)}`,
);
for (const binding of bindings) await attack(binding);
console.log(`${String(2 * total)} requests, ${String(failures.length)} failures`);
if (failures.length > 0) process.exitCode = 1;
