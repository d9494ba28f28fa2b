// A server of A2A 0.3: the methods of that version with its own types, and nothing else.
// #region router
import { A2AError } from "a2a-typed";
import { listen } from "a2a-typed/node";
import { createRouter } from "a2a-typed/server";
import { A2A, TaskState, textOf, type Task } from "a2a-typed/v0.3";

const tasks = new Map<string, Task>();

const router = createRouter(A2A, {
  sendMessage: ({ message }) => {
    const id = crypto.randomUUID();
    const task: Task = {
      kind: "task",
      id,
      contextId: message.contextId ?? crypto.randomUUID(),
      status: { state: TaskState.COMPLETED },
      artifacts: [{ artifactId: "1", parts: [{ kind: "text", text: `echo: ${textOf(message)}` }] }],
    };
    tasks.set(id, task);
    return task;
  },
  getTask: ({ id }) => {
    const task = tasks.get(id);
    if (!task) throw new A2AError("TASK_NOT_FOUND", `There is no task ${id}`);
    return task;
  },
});

const server = await listen(router.handle, { port: Number(process.env["PORT"] ?? 8080) });
// #endregion router

console.log(`0.3 listens on ${server.url}`);
