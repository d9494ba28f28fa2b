import { answerTo, type BenchRequest } from "./requests.js";
import type { ServerProcess } from "./server-process.js";

/** The little of a task that the bench looks at. */
interface TaskSeen {
  readonly id: string;
  readonly status: { readonly state: string };
}

/** Sends one request and returns the id of the task that it is answered with; it must be in such a state. */
export async function taskOf(
  server: ServerProcess,
  sent: BenchRequest,
  state = /completed$/i,
): Promise<string> {
  const answer = (await answerTo(server, sent)) as Partial<
    Record<"result", Partial<TaskSeen> & { readonly task?: TaskSeen }> & { readonly task: TaskSeen }
  >;
  const task = answer.task ?? answer.result?.task ?? answer.result;
  if (task?.id === undefined || !state.test(task.status?.state ?? "")) {
    throw new Error(`${server.name} answered ${JSON.stringify(answer).slice(0, 500)}`);
  }
  return task.id;
}
