/**
 * Subscriptions to tasks of other instances: `npm run test:cluster -- --scale 1` (default 0.1). Three processes share
 * PostgreSQL and Redis; what comes over their sockets is read raw. Exit code 1 where something is missing or too late.
 */
import { isDeepStrictEqual, parseArgs } from "node:util";
import { apply } from "../../src/task/apply.js";
import { Role, userMessage, type Task } from "../../src/versions/pivot.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import { redisBin, startRedis } from "../services/redis.js";
import { bundle } from "../subscribers/bundle.js";
import { startPeer } from "../subscribers/protocol.js";
import { call } from "./call.js";
import { Subscriber, type Frame } from "./subscriber.js";
import type { Work } from "./work.js";

/** Milliseconds that an event may be later at another instance than at the one that runs its task, in the middle. */
const LATER = 10;
/** Events whose delay is measured, and milliseconds between two. */
const TIMED = 1_000;
const TIMED_EVERY = 10;
const TASKS = 100;
const EACH = 50;
/** Events of each task, milliseconds between two, and the event after which it waits for the late ones. */
const EVENTS = 30;
const EVERY = 200;
const LATE = 10;

const missing = [postgresBin() === undefined && "postgresql", redisBin() === undefined && "redis-server"];
const packages = missing.filter((name) => name !== false);
if (packages.length > 0) {
  console.log(`skipped: instances that share tasks; run: apt-get install ${packages.join(" ")}`);
  process.exit();
}

const { values } = parseArgs({ options: { scale: { type: "string", default: "0.1" } } });
const scaled = (full: number, least: number): number =>
  Math.max(least, Math.round(full * Number(values.scale)));

let passed = 0;
let failed = 0;
const check = (name: string, holds: boolean, figure: string): void => {
  if (holds) passed++;
  else failed++;
  console.log(`${holds ? "ok    " : "FAILED"} ${name}: ${figure}`);
};

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
process.env["A2A_TEST_POSTGRES"] = postgres.url;
process.env["A2A_TEST_REDIS"] = redis.url;
const file = await bundle(["instance"], "cluster");
const peers = [1, 2, 3].map(() => startPeer(file("instance")));
const ports = await Promise.all(peers.map((peer) => peer.next()));
const around = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

/** Opens a task at an instance, which waits for `go`. */
async function begin(at: number, work: Work): Promise<string> {
  const { task } = await call<{ task: Task }>(around(ports, at), "SendMessage", {
    message: userMessage(JSON.stringify(work)),
    configuration: { returnImmediately: true },
  });
  return task.id;
}

const go = (at: number, taskId: string): Promise<unknown> =>
  call(around(ports, at), "SendMessage", {
    message: userMessage("go", { taskId }),
    configuration: { returnImmediately: true },
  });

/** The value below which a share of the values lies. */
const quantile = (list: readonly number[], share: number): number =>
  [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? Number.NaN;
const ms = (value: number): string => value.toFixed(2);

/** When an event was made, as it says itself. */
function made({ event }: Frame): number | undefined {
  const data = event.artifactUpdate?.artifact.parts[0]?.data as { readonly at?: number } | undefined;
  return data?.at ?? (event.statusUpdate?.metadata?.["at"] as number | undefined);
}

async function delays(): Promise<void> {
  const events = scaled(TIMED, 100);
  const id = await begin(0, { events, everyMs: TIMED_EVERY });
  const [own, ...others] = ports.map((port) => new Subscriber(port, id));
  if (own === undefined) return;
  await Promise.all([own, ...others].map((one) => one.open()));
  await go(0, id);
  await Promise.all([own, ...others].map((one) => one.ended));
  const atOwner = new Map(own.frames.map(({ n, read }) => [n, read]));
  const direct = own.frames.flatMap((frame) => frame.read - (made(frame) ?? Number.NaN));
  const timed = others.flatMap((one) => one.frames.filter((frame) => made(frame) !== undefined));
  const later = timed.map(({ n, read }) => read - (atOwner.get(n) ?? Number.NaN));
  check(
    "every event is timed at both other instances",
    later.length === 2 * events && later.every(Number.isFinite),
    `${String(later.length)} of ${String(2 * events)}`,
  );
  const median = quantile(later, 0.5);
  check(
    "an event comes little later at another instance",
    median <= LATER,
    `${ms(median)} ms in the middle (≤ ${String(LATER)}), ${ms(quantile(later, 0.95))} ms for 95 %; ` +
      `at its own ${ms(quantile(direct.filter(Number.isFinite), 0.5))} ms after it was made`,
  );
}

/** A task without the messages of its caller, which are no events. */
const comparable = (task: Task | undefined): unknown =>
  task && { ...task, history: (task.history ?? []).filter(({ role }) => role === Role.AGENT) };

/** The task that a subscriber has in the end. */
function folded({ frames }: Subscriber): Task | undefined {
  let task: Task | undefined;
  for (const { event } of frames) task = event.task ?? (task && apply(task, event));
  return task;
}

/** What is wrong with what a subscriber got; `last` is the revision that the task ends with. */
function wrong(one: Subscriber, last: number, task: unknown): string | undefined {
  if (one.problem !== undefined) return one.problem;
  const gap = one.frames.findIndex(({ n }, i) => i > 0 && n !== (one.frames[i - 1]?.n ?? 0) + 1);
  if (gap > 0) return `after event ${String(one.frames[gap - 1]?.n)} came ${String(one.frames[gap]?.n)}`;
  const end = one.frames.at(-1)?.n;
  if (end !== last) return `the last event is ${String(end)} instead of ${String(last)}`;
  return isDeepStrictEqual(comparable(folded(one)), task) ? undefined : "its task is another one";
}

/** A fifth of the subscribers of a task goes on at another instance halfway, another fifth comes only then. */
async function oneTask(
  at: number,
  each: number,
): Promise<readonly [subscribers: Subscriber[], problems: string[]]> {
  const id = await begin(at, { events: EVENTS, everyMs: EVERY, restAfter: LATE });
  const subscribers = Array.from({ length: each }, (_, i) => new Subscriber(around(ports, at + i), id));
  const late = subscribers.filter((_, i) => i % 5 === 4);
  const early = subscribers.filter((one) => !late.includes(one));
  early.forEach((one, i) => {
    if (i % 4 === 3) void one.hop(EVENTS / 2, around(ports, at + i + 1));
  });
  await Promise.all(early.map((one) => one.open()));
  // Not at the instance that runs it.
  await go(at + 1, id);
  const halfway = new Subscriber(around(ports, at), id);
  const there = halfway.hop(LATE, around(ports, at + 2));
  await halfway.open();
  await there;
  await Promise.all(late.map((one) => one.open()));
  await go(at + 2, id);
  const all = [...subscribers, halfway];
  await Promise.all(all.map((one) => one.ended));
  const tasks = await Promise.all(ports.map((port) => call<Task>(port, "GetTask", { id })));
  const task = comparable(tasks[0]);
  const problems = tasks.flatMap((other, i) =>
    isDeepStrictEqual(other, tasks[0]) ? [] : [`instance ${String(i)} has another task`],
  );
  const last = Math.max(...all.map(({ frames }) => frames.at(-1)?.n ?? 0));
  for (const one of all) {
    const problem = wrong(one, last, task);
    if (problem !== undefined) problems.push(problem);
  }
  return [all, problems];
}

async function crowd(): Promise<void> {
  const tasks = scaled(TASKS, 9);
  const each = scaled(EACH, 10);
  const start = performance.now();
  const results = await Promise.all(Array.from({ length: tasks }, (_, at) => oneTask(at, each)));
  const seconds = (performance.now() - start) / 1_000;
  const all = results.flatMap(([subscribers]) => subscribers);
  const problems = results.flatMap(([, found]) => found);
  const frames = all.reduce((sum, one) => sum + one.frames.length, 0);
  const hopped = all.filter(({ streams }) => streams > 1).length;
  const late = all.filter(({ frames: [first] }) => (first?.n ?? 0) > LATE / 2).length;
  check(
    `${String(tasks)} tasks × ${String(each)} subscribers at three instances miss nothing`,
    problems.length === 0,
    `${String(frames)} events in ${seconds.toFixed(1)} s, ${String(hopped)} subscribers went on elsewhere, ` +
      `${String(late)} came late, ${String(problems.length)} problems`,
  );
  for (const [problem, count] of counted(problems)) console.log(`       ${String(count)} × ${problem}`);
  check(
    "subscribers went on elsewhere, and came late",
    hopped > 0 && late > 0,
    `${String(hopped)}, ${String(late)}`,
  );
}

/** The most frequent ones. */
function counted(problems: readonly string[]): [problem: string, count: number][] {
  const counts = new Map<string, number>();
  for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 10);
}

try {
  await delays();
  await crowd();
} finally {
  await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
  await Promise.all([postgres.dispose(), redis.dispose()]);
}
console.log(`${String(passed)} passed, ${String(failed)} failed`);
if (failed > 0) process.exitCode = 1;
