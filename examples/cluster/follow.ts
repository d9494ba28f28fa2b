import { setTimeout as pause } from "node:timers/promises";
import { isA2AError, type Client, type ClientStream } from "a2a-typed";
import { TaskState, type A2A, type StreamResponse } from "a2a-typed/v1";

/** An event with its number, which the stream has as its id. */
export interface Numbered {
  readonly n: number;
  readonly event: StreamResponse;
}

const ENDED: readonly string[] = [
  TaskState.COMPLETED,
  TaskState.FAILED,
  TaskState.CANCELED,
  TaskState.REJECTED,
];
const WAIT_MS = 200;
/** Times in a row that nothing was to be had: about 20 s. */
const TRIES = 100;

/**
 * The events of a task until it has ended, whichever instances come and go meanwhile: where a stream breaks off, the next
 * one begins after its last event. `cut` is told why.
 */
export async function* follow(
  client: Client<typeof A2A>,
  taskId: string,
  first: ClientStream<StreamResponse>,
  cut: (why: string) => void,
): AsyncGenerator<Numbered> {
  let stream = first;
  let last: string | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      for await (const event of stream) {
        tries = 0;
        last = stream.lastEventId ?? last;
        yield { n: Number(last), event };
        if (ENDED.includes((event.task ?? event.statusUpdate)?.status.state ?? "")) return;
      }
      cut("the stream was closed");
    } catch (error) {
      if (!isA2AError(error) || error.reason === "TASK_NOT_FOUND") throw error;
      cut(error.message);
    }
    await pause(WAIT_MS);
    stream = client.subscribeToTask({ id: taskId }, last === undefined ? {} : { lastEventId: last });
  }
  throw new Error(`task ${taskId} could not be followed to its end`);
}
