// Talks to the agent whose URL is the first argument: npx tsx examples/client.ts http://127.0.0.1:8080
// #region send
import { createClient, isA2AError, jsonRpc, type Interceptor } from "a2a-typed";
import { A2A, textOf, userMessage } from "a2a-typed/v1";

const url = process.argv[2] ?? "http://127.0.0.1:8080";
const client = createClient(A2A, jsonRpc({ url }));

const { task, message } = await client.sendMessage({ message: userMessage("hello") });
if (task) console.log(task.id, task.status.state, textOf(task));
else console.log(textOf(message));
// #endregion send

// #region stream
for await (const event of client.sendStreamingMessage({ message: userMessage("hello again") })) {
  if (event.artifactUpdate) process.stdout.write(textOf(event.artifactUpdate.artifact));
  if (event.statusUpdate) console.log(`\n[${event.statusUpdate.status.state}]`);
}
// #endregion stream

// #region errors
try {
  await client.getTask({ id: "no-such-task" }, { timeoutMs: 5_000 });
} catch (error) {
  if (!isA2AError(error, "TASK_NOT_FOUND")) throw error;
  console.log("no such task");
}
// #endregion errors

// #region interceptor
const timed: Interceptor = (next) => async (call) => {
  const started = performance.now();
  try {
    return await next(call);
  } finally {
    console.log(`${call.method.name}: ${(performance.now() - started).toFixed(0)} ms`);
  }
};
const observed = createClient(A2A, jsonRpc({ url }), { interceptors: [timed] });
// #endregion interceptor

console.log((await observed.listTasks({ pageSize: 10 })).totalSize, "tasks");
await observed.close();
await client.close();
