// What a caller of the cluster sees: npx tsx examples/cluster/try.ts, with the file that start.ts names, or with a URL.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createClient, httpJson, jsonRpc, type ClientStream, type Interceptor } from "a2a-typed";
import { A2A, textOf, userMessage, type StreamResponse, type Task } from "a2a-typed/v1";
import { follow, type Numbered } from "./follow.js";
import type { Cluster } from "./start.js";

const [given = "http://127.0.0.1:8080"] = process.argv.slice(2);
const { url, instances }: Cluster = given.startsWith("http")
  ? { url: given, instances: [] }
  : (JSON.parse(readFileSync(given, "utf8")) as Cluster);

/** Name of the instance that the balancer chose. */
const nameOf = (headers: Readonly<Record<string, string>>): string => {
  // Those that could not be reached come before the one that answered.
  const address = headers["x-served-by"]?.split(", ").at(-1) ?? "nobody";
  return instances.find(({ port }) => address.endsWith(`:${port}`))?.name ?? address;
};
const told: Interceptor = (next) => async (call) => {
  const reply = await next(call);
  if (!reply.stream) console.log(`  ${call.method.name} was answered by ${nameOf(reply.headers)}`);
  return reply;
};
// HTTP+JSON reads with GET, which nginx may repeat at the next instance.
const client = createClient(A2A, httpJson({ url }), { interceptors: [told] });

/** A stream that is answered by another instance than `other`: the balancer takes turns. */
async function streamBeside(
  other: string,
  open: () => ClientStream<StreamResponse>,
): Promise<readonly [stream: ClientStream<StreamResponse>, by: string]> {
  for (let tries = 0; tries < 10; tries++) {
    const stream = open();
    const by = nameOf(await stream.headers);
    if (by !== other) return [stream, by];
    await stream.return();
  }
  throw new Error("all streams are answered by the same instance");
}

/** Opens a task, which asks how many lines it is to be, and answers that. */
async function begin(
  lines: number,
): Promise<readonly [id: string, stream: ClientStream<StreamResponse>, by: string]> {
  const { task } = await client.sendMessage({ message: userMessage("a poem, please") });
  if (task === undefined) throw new Error("no task");
  console.log(`  ${task.status.state}: ${textOf(task.status.message)}`);
  const stream = client.sendStreamingMessage({ message: userMessage(String(lines), { taskId: task.id }) });
  const by = nameOf(await stream.headers);
  console.log(`  ${lines}: the stream comes from ${by}`);
  return [task.id, stream, by];
}

const short = ({ n, event }: Numbered): string => {
  const { task, statusUpdate, artifactUpdate } = event;
  const status = (task ?? statusUpdate)?.status;
  const said = status ? `${status.state} ${textOf(status.message)}` : textOf(artifactUpdate?.artifact);
  return `${n} ${said.trim()}`;
};

/** Prints the events of a stream and gives them all. */
async function listen(who: string, id: string, stream: ClientStream<StreamResponse>): Promise<Numbered[]> {
  const seen: Numbered[] = [];
  const cut = (why: string): void =>
    console.log(`  ${who}: cut (${why}); goes on after ${seen.at(-1)?.n ?? 0}`);
  for await (const one of follow(client, id, stream, cut)) {
    seen.push(one);
    console.log(`  ${who}: ${short(one)}`);
  }
  return seen;
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it does not hold that ${what}`);
  console.log(`  ok: ${what}`);
}

/** Checks that no event is missing or came twice. */
function checkNumbers(who: string, seen: readonly Numbered[]): void {
  const first = seen[0]?.n ?? 0;
  const gapless = seen.every(({ n }, i) => n === first + i);
  check(seen.length > 0 && gapless, `${who} got every event from ${first} to ${seen.at(-1)?.n ?? 0} once`);
}

/** The task as each instance has it. */
async function tasksOf(id: string): Promise<Task[]> {
  const urls = instances.map(({ port }) => `http://127.0.0.1:${port}`);
  const tasks: Task[] = [await client.getTask({ id })];
  for (const one of urls) {
    await using direct = createClient(A2A, jsonRpc({ url: one }));
    // One of them may be dead.
    tasks.push(
      ...(await direct.getTask({ id }).then(
        (task) => [task],
        () => [],
      )),
    );
  }
  return tasks;
}

async function checkTask(id: string, lines: number): Promise<void> {
  const [task, ...others] = await tasksOf(id);
  const texts = task?.artifacts?.map((artifact) => textOf(artifact).replace(/ by .*/, "")) ?? [];
  const wanted = Array.from({ length: lines }, (_, i) => `line ${i + 1}`);
  check(isDeepStrictEqual(texts, wanted), `the task has ${lines} lines in their order`);
  if (others.length === 0) return;
  check(
    others.every((other) => isDeepStrictEqual(other, task)),
    `${others.length} instances have the same task`,
  );
}

console.log("A question, an answer, and two who listen at different instances");
{
  const [id, stream, by] = await begin(15);
  const [second, elsewhere] = await streamBeside(by, () => client.subscribeToTask({ id }));
  console.log(`  a second stream comes from ${elsewhere}`);
  const [one, two] = await Promise.all([listen(by, id, stream), listen(elsewhere, id, second)]);
  checkNumbers(by, one);
  checkNumbers(elsewhere, two);
  const later = one.filter(({ n }) => n > (two[0]?.n ?? Infinity));
  check(isDeepStrictEqual(two.slice(1), later), "both got the same events in the same order");
  await checkTask(id, 15);
}

console.log("A cancel at whichever instance it reaches");
{
  const [id, stream, by] = await begin(1_000);
  const end = listen(by, id, stream);
  const task = await client.cancelTask({ id });
  check(task.status.state === "TASK_STATE_CANCELED", "the cancel is answered with the canceled task");
  const last = (await end).at(-1)?.event.statusUpdate;
  check(last?.status.state === "TASK_STATE_CANCELED", `the stream at ${by} ended with it`);
}

const victims = instances.length > 1;
if (victims) console.log("The death of the instance that works on a task");
if (victims) {
  const [id, stream, by] = await begin(20);
  const [second, elsewhere] = await streamBeside(by, () => client.subscribeToTask({ id }));
  const ends = Promise.all([listen(by, id, stream), listen(elsewhere, id, second)]);
  for await (const event of client.subscribeToTask({ id })) {
    if (event.artifactUpdate === undefined) continue;
    const victim = instances.find(({ name }) => name === by);
    if (victim) process.kill(victim.pid, "SIGKILL");
    console.log(`  ${by} is killed`);
    break;
  }
  const [one, two] = await ends;
  checkNumbers(by, one);
  checkNumbers(elsewhere, two);
  await checkTask(id, 20);
  const { artifacts = [] } = await client.getTask({ id });
  const writers = new Set(artifacts.map((artifact) => textOf(artifact).split(" by ")[1]));
  check(
    writers.size === 2 && writers.has(by),
    `what ${by} began was finished by ${[...writers].at(-1) ?? "nobody"}`,
  );
}
await client.close();
console.log("all is well");
