/** A process with `signals: true`, from outside. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { bindings, callerOf, say } from "../rules/support.js";

const tsx = new URL("../../node_modules/tsx/dist/cli.mjs", import.meta.url).pathname;
const main = new URL("processes/agent-child.ts", import.meta.url).pathname;

describe.each(bindings)("%s: the process", { timeout: 60_000 }, (binding) => {
  it.each(["SIGTERM", "SIGINT"] as const)("answers who waits at %s, then ends by itself", async (signal) => {
    const child = spawn(process.execPath, [tsx, main], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const closed = once(child, "close");
      const [line] = await once(child.stdout.setEncoding("utf8"), "data");
      const caller = callerOf(String(line).trim(), binding);
      const blocking = caller.call("SendMessage", say("1500"));
      const stream = await caller.stream("SendStreamingMessage", say("1500"));
      const { id } = (await stream.next())?.event.task ?? {};
      expect((await stream.next())?.event.artifactUpdate.artifact.parts).toEqual([{ text: "begun " }]);
      // The blocking call has its task, too: nothing of what was taken may get lost.
      await expect.poll(async () => (await caller.ok("ListTasks")).totalSize).toBe(2);
      child.kill(signal);
      const { task } = (await blocking).result;
      expect(task.status.state).toBe("TASK_STATE_COMPLETED");
      const rest = await stream.rest();
      expect(rest.at(-1)?.event.statusUpdate).toMatchObject({
        taskId: id,
        status: { state: "TASK_STATE_COMPLETED" },
      });
      expect(await closed).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
