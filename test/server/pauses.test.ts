/** What callers may do while a handler still cleans up, and at shutdown. */
import { expect, test } from "vitest";
import { userMessage } from "../../src/versions/pivot.js";
import { agentOf, gate, start } from "./agents.js";

test('inbox: "reject" takes the answer to a question whose handler still cleans up', async () => {
  const cleaned = gate();
  const { client } = start(
    agentOf(
      async (ctx) => {
        if (ctx.turn === 2) return "thanks";
        const outcome = ctx.inputRequired("Which city?");
        await cleaned.passed;
        return outcome;
      },
      { inbox: "reject" },
    ),
  );
  const { task } = await client.sendMessage({ message: userMessage("weather") });
  expect(task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  const answered = client.sendMessage({ message: { ...userMessage("Oslo"), taskId: task?.id ?? "" } });
  cleaned.open();
  expect((await answered).task?.status.state).toBe("TASK_STATE_COMPLETED");
});

test("a cooperative cancel does not outlive the server", async () => {
  const [called, told] = [gate(), gate()];
  const { client, server } = start(
    agentOf(
      (ctx) => {
        ctx.signal.addEventListener("abort", () => told.open());
        called.open();
        return new Promise(() => undefined);
      },
      { cancel: "cooperative", cancelGraceMs: 60_000 },
    ),
  );
  const { task } = await client.sendMessage({
    message: userMessage("x"),
    configuration: { returnImmediately: true },
  });
  await called.passed;
  const canceled = client.cancelTask({ id: task?.id ?? "" });
  await told.passed;
  await server.close({ deadlineMs: 0 });
  expect((await canceled).status.state).toBe("TASK_STATE_CANCELED");
});
