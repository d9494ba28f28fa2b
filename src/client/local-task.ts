import { refusal } from "../task/refusal.js";
import { isAtRest, isTerminal } from "../task/states.js";
import { TaskFold } from "../task/task-fold.js";
import type { Message, StreamResponse, Task, TaskStatus } from "../versions/pivot.js";

/** A task as it follows from its events, by the reducer of the server. */
export class LocalTask {
  #fold: TaskFold | undefined;
  #copy: Task | undefined;
  #passed: string | undefined;
  #before: string | undefined;
  /** Events came twice, in disorder or not at all, as far as one can tell: the agent is to be asked for the task. */
  doubtful = false;

  /** As it is now; it goes on changing. Undefined until something is known. */
  get live(): Task | undefined {
    return this.#fold?.task;
  }

  /** A copy that stays as it is. */
  copy(): Task | undefined {
    const { live } = this;
    return (this.#copy ??= live && copyOf(live));
  }

  /** Whether it has ended, or waits for the client and nobody said that this was seen. */
  get atRest(): boolean {
    const status = this.live?.status;
    if (status === undefined || !isAtRest(status.state)) return false;
    return isTerminal(status.state) || keyOf(status) !== this.#passed;
  }

  get ended(): boolean {
    return this.live !== undefined && isTerminal(this.live.status.state);
  }

  /** Where it waits for the client, it is followed beyond that: something else may let it go on. */
  passRest(): void {
    this.#passed = this.live && keyOf(this.live.status);
  }

  /** Puts a task that the agent sent in the place of this one; false where that changes nothing. */
  replace(task: Task): boolean {
    const { live } = this;
    if (live !== undefined && JSON.stringify(live) === JSON.stringify(task)) return false;
    this.#fold = new TaskFold(task);
    this.#copy = undefined;
    this.#before = undefined;
    return true;
  }

  /** Notes a message that was sent to it. */
  receive(message: Message): void {
    this.#fold?.receive(message);
    this.#copy = undefined;
  }

  /**
   * Applies an update; false where it is none for this task as it is, which is a reason for doubt. `numbered`: the agent's
   * ids tell events apart; else one that says the same as the one before may be the same.
   */
  update(event: StreamResponse, numbered: boolean): boolean {
    const update = event.statusUpdate ?? event.artifactUpdate;
    if (update === undefined) return false;
    const fold = (this.#fold ??= this.#begin(update));
    // Agents of 0.x leave it out.
    const named = update.contextId === "" ? withContext(event, fold.task.contextId) : event;
    if (refusal(fold.task, named) !== undefined) {
      this.doubtful = true;
      return false;
    }
    const { artifactUpdate } = event;
    if (artifactUpdate?.append === true && !fold.knows(artifactUpdate.artifact.artifactId)) {
      this.doubtful = true;
    }
    if (!numbered) {
      const text = JSON.stringify(event);
      if (text === this.#before) this.doubtful = true;
      this.#before = text;
    }
    fold.apply(event);
    this.#copy = undefined;
    return true;
  }

  // Some agents start a stream without the task.
  #begin({ taskId, contextId }: { readonly taskId: string; readonly contextId: string }): TaskFold {
    this.doubtful = true;
    return new TaskFold({ id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } });
  }
}

const keyOf = ({ state, timestamp, message }: TaskStatus): string =>
  JSON.stringify([state, timestamp, message?.messageId]);

function withContext(event: StreamResponse, contextId = ""): StreamResponse {
  if (event.statusUpdate !== undefined) return { statusUpdate: { ...event.statusUpdate, contextId } };
  return event.artifactUpdate === undefined
    ? event
    : { artifactUpdate: { ...event.artifactUpdate, contextId } };
}

function copyOf(task: Task): Task {
  const copy = { ...task };
  if (task.history !== undefined) copy.history = [...task.history];
  if (task.artifacts !== undefined)
    copy.artifacts = task.artifacts.map((artifact) => ({ ...artifact, parts: [...artifact.parts] }));
  return copy;
}
