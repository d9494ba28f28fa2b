import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { breath, tokenOf, type Talk } from "./contract.js";
import { begin, type RawMessage, type RawTask } from "./raw-tasks.js";

/** Listeners of the one task that goes on, each with what stands around its events. */
const listeners = new Map<ServerResponse, { readonly head: string; readonly tail: string }>();
let talking: { readonly task: RawTask; n: number; readonly artifactId: string } | undefined;

/** Starts the task that goes on: it has said one token. */
export function beginTalk(message: RawMessage): RawTask {
  const artifactId = randomUUID();
  const artifacts = [{ artifactId, name: "echo", parts: [{ text: tokenOf(0) }] }];
  const task = begin(message, "TASK_STATE_WORKING", { artifacts });
  talking = { task, n: 3, artifactId };
  return task;
}

/** Answers a subscription, but for the headers. */
export function listen(response: ServerResponse, id: unknown): void {
  if (!talking) throw new Error("no task goes on");
  const { task, n } = talking;
  response.write(`id: ${String(n)}\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: { task } })}\n\n`);
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  listeners.set(response, { head, tail: "}\n\n" });
  response.on("close", () => listeners.delete(response));
}

/** Events are turned into text once; what is ready goes out in one write to each. */
export const say: Talk = async (tokens, together) => {
  if (!talking) throw new Error("no task goes on");
  const { artifactId, task } = talking;
  const { id: taskId, contextId } = task;
  let ready: { readonly id: string; readonly text: string }[] = [];
  const flush = (): void => {
    for (const [response, { head, tail }] of listeners) {
      let text = "";
      for (const event of ready) text += event.id + head + event.text + tail;
      response.write(text);
    }
    ready = [];
  };
  for (let token = 0; token < tokens; token++) {
    const artifact = { artifactId, parts: [{ text: tokenOf(token) }] };
    const artifactUpdate = { taskId, contextId, artifact, append: true };
    ready.push({ id: `id: ${String(++talking.n)}\ndata: `, text: JSON.stringify({ artifactUpdate }) });
    const pause = breath(token, together);
    if (!pause) continue;
    flush();
    await pause;
  }
  if (ready.length > 0) flush();
};
