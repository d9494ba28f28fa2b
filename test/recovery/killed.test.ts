/** A process that is killed in the middle of a task, and the next one on the same store. */
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

async function begin(dir: string, recovery: string) {
  const args = ["--import", "tsx", main, dir, recovery];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = await once(child.stdout.setEncoding("utf8"), "data");
  return { child, caller: callerOf(String(line).trim(), "JSONRPC") };
}

it.each([
  ["fail", "TASK_STATE_FAILED", ["half"]],
  ["rerun", "TASK_STATE_COMPLETED", ["half", "half and whole after 2"]],
])(
  "recovery %s: the next process finds the task and ends it as %s",
  async (recovery, state, texts) => {
    const dir = await mkdtemp(join(tmpdir(), "killed-"));
    try {
      const first = await begin(dir, recovery);
      const stream = await first.caller.stream("SendStreamingMessage", say("hi"));
      const { id } = (await stream.next())?.event.task ?? {};
      expect((await stream.next())?.event.artifactUpdate.artifact.parts).toEqual([{ text: "half" }]);
      const closed = once(first.child, "close");
      first.child.kill("SIGKILL");
      await closed;
      const next = await begin(dir, recovery);
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
