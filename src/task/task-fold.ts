import { growable } from "../growable.js";
import type { Artifact, Message, StreamResponse, Task, TaskArtifactUpdateEvent } from "../versions/pivot.js";

/** From here on a map finds artifacts by id; below, looking through the list is faster. */
const INDEX_FROM = 16;

/**
 * A task that changes in place, for those who apply many events: a chunk costs the chunk, not the task.
 * The lists that grow are its own, so neither the task it began with nor an event is ever changed.
 * Callers ask `refusal` first.
 */
export class TaskFold {
  #task: Task;
  /** Artifacts whose `parts` belong to this fold and may grow. */
  #own: Set<Artifact> | undefined;
  #index: Map<string, number> | undefined;
  /** The artifact that grew last; its `parts` belong to this fold. */
  #growing: Artifact | undefined;

  constructor(task: Task) {
    this.#task = own(task);
  }

  /** The task as it is now; it goes on changing. */
  get task(): Task {
    return this.#task;
  }

  /** Whether it has an artifact of that id. */
  knows(artifactId: string): boolean {
    const { artifacts } = this.#task;
    return artifacts !== undefined && this.#find(artifacts, artifactId) !== undefined;
  }

  /** Applies one event. */
  apply(event: StreamResponse): void {
    if (event.task !== undefined) {
      this.#task = own(event.task);
      this.#own = undefined;
      this.#index = undefined;
      this.#growing = undefined;
    } else if (event.statusUpdate !== undefined) {
      this.#rememberStatus();
      this.#task.status = event.statusUpdate.status;
    } else if (event.artifactUpdate !== undefined) {
      this.#artifact(event.artifactUpdate);
    }
  }

  /** As the event that adds a part with this text to an artifact: what most events do. */
  append(artifactId: string, text: string): void {
    if (this.#growing?.artifactId === artifactId) this.#growing.parts.push({ text });
    else this.#artifact({ artifact: { artifactId, parts: [{ text }] }, append: true });
  }

  /** Adds a received message to the history, after what the agent last said: the order is chronological. */
  receive(message: Message): void {
    if (this.#rememberStatus()) {
      const { message: _said, ...status } = this.#task.status;
      this.#task.status = status;
    }
    this.#remember(message);
  }

  /** Moves the message of the current status into the history. */
  #rememberStatus(): boolean {
    const said = this.#task.status.message;
    if (said !== undefined) this.#remember(said);
    return said !== undefined;
  }

  #remember(message: Message): void {
    if (this.#task.history === undefined) this.#task.history = [message];
    else this.#task.history.push(message);
  }

  #artifact({ artifact, append }: Pick<TaskArtifactUpdateEvent, "artifact" | "append">): void {
    const { artifacts } = this.#task;
    if (artifacts === undefined) {
      // Most tasks have one: room for more would cost more than it.
      this.#task.artifacts = [artifact];
      return;
    }
    const at = this.#find(artifacts, artifact.artifactId);
    const known = at === undefined ? undefined : artifacts[at];
    if (at === undefined || known === undefined) {
      this.#index?.set(artifact.artifactId, artifacts.length);
      artifacts.push(artifact);
    } else if (append !== true) {
      artifacts[at] = artifact;
      if (known === this.#growing) this.#growing = undefined;
    } else {
      const target = this.#own?.has(known) === true ? known : { ...known, parts: [...known.parts] };
      if (target !== known) {
        (this.#own ??= new Set()).add(target);
        artifacts[at] = target;
      }
      this.#growing = target;
      extend(target, artifact);
    }
  }

  #find(artifacts: readonly Artifact[], id: string): number | undefined {
    if (artifacts.length < INDEX_FROM) {
      const at = artifacts.findIndex((artifact) => artifact.artifactId === id);
      return at < 0 ? undefined : at;
    }
    this.#index ??= new Map(artifacts.map((artifact, at) => [artifact.artifactId, at]));
    return this.#index.get(id);
  }
}

/** A chunk adds its parts; other members, where it has them, complete or replace those of the artifact. */
function extend(target: Artifact, chunk: Artifact): void {
  for (const part of chunk.parts) target.parts.push(part);
  if (chunk.name !== undefined) target.name = chunk.name;
  if (chunk.description !== undefined) target.description = chunk.description;
  if (chunk.metadata !== undefined) target.metadata = { ...target.metadata, ...chunk.metadata };
  if (chunk.extensions !== undefined) {
    target.extensions = [...new Set([...(target.extensions ?? []), ...chunk.extensions])];
  }
}

function own(task: Task): Task {
  const copy = growable(task);
  if (task.history !== undefined) copy.history = [...task.history];
  if (task.artifacts !== undefined) copy.artifacts = [...task.artifacts];
  return copy;
}
