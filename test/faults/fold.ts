import type { Artifact, StreamResponse, Task } from "../../src/versions/pivot.js";

/** What events alone say of a task: all but its history, for received messages are no events. */
export type Folded = Pick<Task, "id" | "contextId" | "status" | "artifacts">;

/** Folds the events of a task, in the plainest way: it shares no code with the engine. */
export function fold(events: Iterable<StreamResponse>): Folded | undefined {
  let task: Folded | undefined;
  for (const event of events) {
    if (event.task !== undefined) task = plain(event.task);
    if (task === undefined) return undefined;
    if (event.statusUpdate !== undefined) task = { ...task, status: event.statusUpdate.status };
    const { artifact, append } = event.artifactUpdate ?? {};
    if (artifact !== undefined) task = { ...task, artifacts: add(task.artifacts ?? [], artifact, append) };
  }
  return task;
}

/** The part of a task that events tell. */
export function plain({ id, contextId, status, artifacts }: Task): Folded {
  return { id, contextId, status, ...(artifacts !== undefined && { artifacts }) } as Folded;
}

function add(artifacts: readonly Artifact[], artifact: Artifact, append = false): Artifact[] {
  const known = artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (known === undefined) return [...artifacts, artifact];
  const next = append ? { ...known, parts: [...known.parts, ...artifact.parts] } : artifact;
  return artifacts.map((one) => (one === known ? next : one));
}
