/**
 * Mutated requests against a server in a second process: `npm run test:hostile -- --scale 1 --seed 1`. Scale 1 is 100,000
 * requests per binding; over gRPC it is mostly their bytes that are mutated. Exit code 1 where an answer was malformed, told
 * internals or was missing, the server failed or grew, or a good request was not answered any more. The seed repeats a run,
 * `--only GRPC` (JSONRPC, HTTP+JSON) is one binding of it.
 */
import { parseArgs } from "node:util";
import { bindings, type BindingName } from "../rules/support.js";
import { grpcAttacker } from "./grpc-attack.js";
import { grpcDrafts, type GrpcDraft } from "./grpc-drafts.js";
import { mutate } from "./mutate.js";
import { createRandom, type Random } from "./random.js";
import { startTarget } from "./target.js";
import { validRequests, type Draft } from "./valid-requests.js";
import { problemOf } from "./verdict.js";
import { Wire } from "./wire.js";

const { values } = parseArgs({
  options: { scale: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
});
const scale = Number(values.scale ?? "1");
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const total = Math.round(100_000 * scale);
const CONNECTIONS = 16;
/** Requests after which the heap is taken as the measure, once the store is full. */
const SETTLED = 10_000;
/** Of the server's `maxTasks` of 1,000; some tasks are those of other tenants. */
const FULL = 900;
const GROWTH = 1.2;

const failures: string[] = [];
const fail = (what: string): void => {
  if (failures.length < 40) console.error(what);
  failures.push(what);
};

/** How calls are made over one binding. */
interface Attacker {
  /** Good calls for a task that pauses. */
  prepare(task: string): void;
  /** Sends mutated calls over all connections as long as `next` says so. */
  until(next: () => boolean): Promise<void>;
  close(): void;
}

type Count = (of: "kind" | "outcome", key: string) => void;

/** JSON over HTTP. */
function httpAttacker(binding: BindingName, port: number, random: Random, count: Count): Attacker {
  let valid: readonly Draft[] = [];
  const wires = Array.from({ length: CONNECTIONS }, () => new Wire(port));
  return {
    prepare(task) {
      valid = validRequests(binding, task);
    },
    async until(next) {
      await Promise.all(
        wires.map(async (wire) => {
          while (next()) {
            const one = mutate(random.pick(valid), random);
            for (const kind of one.kinds) count("kind", kind);
            const reply = await wire.send(one.bytes, !one.framed);
            count("outcome", reply.kind === "answer" ? String(reply.status) : reply.kind);
            const problem = problemOf(one, reply);
            if (problem === undefined) continue;
            const request = JSON.stringify(one.bytes.subarray(0, 700).toString("latin1"));
            fail(`${binding}: ${problem}\n  ${request}\n  ${JSON.stringify(reply).slice(0, 400)}`);
          }
        }),
      );
    },
    close() {
      for (const wire of wires) wire.close();
    },
  };
}

/** Bytes over gRPC. */
function bytesAttacker(port: number, random: Random, count: Count): Attacker {
  const { wires, attack, close } = grpcAttacker(port, CONNECTIONS, random);
  let drafts: readonly GrpcDraft[] = [];
  return {
    prepare(task) {
      drafts = grpcDrafts(task);
    },
    async until(next) {
      await Promise.all(
        wires.map(async (wire) => {
          while (next()) {
            const { kinds, outcome, problem } = await attack(wire, drafts);
            for (const kind of kinds) count("kind", kind);
            count("outcome", outcome);
            if (problem !== undefined) fail(`GRPC: ${problem}`);
          }
        }),
      );
    },
    close,
  };
}

async function attack(binding: BindingName | "GRPC"): Promise<void> {
  const target = await startTarget();
  const random = createRandom(seed);
  const counts = { kind: new Map<string, number>(), outcome: new Map<string, number>() };
  const count: Count = (of, key) => void counts[of].set(key, (counts[of].get(key) ?? 0) + 1);
  const attacker =
    binding === "GRPC"
      ? bytesAttacker(target.grpcPort, random, count)
      : httpAttacker(binding, target.port, random, count);
  const heap = async (): Promise<number> => {
    const { bytes, logged } = await target.heap();
    for (const line of logged) fail(`${binding}: the server logged ${line.slice(0, 600)}`);
    return bytes;
  };

  let sent = 0;
  /** At most 1,000 requests more; a task that was canceled is no target any more, so they get a new one. */
  const some = async (end: number): Promise<void> => {
    const task = await target.good("pause");
    if (task === undefined)
      fail(`${binding}: a good request was not answered after ${String(sent)} requests`);
    attacker.prepare(task ?? "none");
    await attacker.until(() => {
      const more = sent < end && !target.died;
      if (more) sent += 1;
      return more;
    });
  };
  const isCompared = total >= 2 * SETTLED;
  // What a store holds is no growth: it is filled first, by requests that are not counted.
  while (isCompared && !target.died && (await target.stored()) < FULL) await some(sent + 1_000);
  const first = sent;
  if (first > 0) console.log(`${binding}: the store is full after ${String(first)} requests`);

  let settled = 0;
  for (let end = 0; end < total && !target.died;) {
    end = Math.min(total, end + 1_000);
    await some(first + end);
    if (end === SETTLED) settled = await heap();
  }
  attacker.close();
  if (target.died) fail(`${binding}: the server died after ${String(sent)} requests`);
  else {
    const last = await heap();
    if (!isCompared)
      console.log(`${binding}: heap not compared, a run needs ${String(2 * SETTLED)} requests for that`);
    else if (last > settled * GROWTH) fail(`${binding}: the heap grew from ${mib(settled)} to ${mib(last)}`);
    else
      console.log(
        `${binding}: heap ${mib(settled)} after ${String(SETTLED)} requests, ${mib(last)} at the end`,
      );
    if ((await target.good("done")) === undefined)
      fail(`${binding}: a good request was not answered at the end`);
    target.stop();
  }
  const list = (map: Map<string, number>): string =>
    [...map]
      .sort()
      .map(([key, n]) => `${key} ${String(n)}`)
      .join(", ");
  console.log(`${binding}: ${String(sent)} requests; faults: ${list(counts.kind)}`);
  console.log(`${binding}: answers: ${list(counts.outcome)}`);
}

const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

console.log(
  `hostile input: scale ${String(scale)}, ${String(total)} requests per binding, seed ${String(seed)}`,
);
const attacked = ([...bindings, "GRPC"] as const).filter(
  (binding) => values.only === undefined || binding === values.only,
);
for (const binding of attacked) await attack(binding);
console.log(`${String(attacked.length * total)} requests, ${String(failures.length)} failures`);
if (failures.length > 0) process.exitCode = 1;
