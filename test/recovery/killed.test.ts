/** A process that is killed in the middle of a task, and another one on the same store: the next one, or one that ran beside it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { callerOf, say } from "../rules/support.js";

const main = new URL("processes/dying-agent.ts", import.meta.url).pathname;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function begin(...args: string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", main, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  return { child, caller: callerOf(String(line).trim(), "JSONRPC") };
}

it.each([
  ["files", "fail", "TASK_STATE_FAILED", ["half"]],
  ["sqlite", "rerun", "TASK_STATE_COMPLETED", ["half", "half and whole after 2"]],
])(
  "%s, recovery %s: another process ends the task as %s",
  async (kind, recovery, state, texts) => {
    const dir = await mkdtemp(join(tmpdir(), "killed-"));
    try {
      const first = await begin(kind, dir, recovery);
      // A folder belongs to one process at a time.
      const beside = kind === "sqlite" ? await begin(kind, dir, recovery) : undefined;
      const stream = await first.caller.stream("SendStreamingMessage", say("hi"));
      const { id } = (await stream.next())?.event.task ?? {};
      expect((await stream.next())?.event.artifactUpdate.artifact.parts).toEqual([{ text: "half" }]);
      const closed = once(first.child, "close");
      first.child.kill("SIGKILL");
      await closed;
      const next = beside ?? (await begin(kind, dir, recovery));
      const get = async () => next.caller.ok("GetTask", { id });
      await expect.poll(async () => (await get()).status.state, { timeout: 15_000 }).toBe(state);
      const { artifacts } = await get();
      const said = artifacts.map((one: { parts: { text: string }[] }) =>
        one.parts.map(({ text }) => text).join(""),
      );
      expect(said).toEqual(texts);
      const resumed = await next.caller.stream("SubscribeToTask", { id }, { "last-event-id": "2" });
      expect((await resumed.rest()).at(-1)?.event.statusUpdate.status.state).toBe(state);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
  60_000,
);
