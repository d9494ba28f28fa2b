import { expect } from "vitest";
import type { Task, TaskArtifactUpdateEvent } from "../../generated/v1.0/types.js";
import { apply } from "../../src/task/apply.js";
import { expectedOf, inputOf, type Run } from "./cases.js";

interface Reduce {
  readonly task: Task;
  readonly artifactUpdates: readonly TaskArtifactUpdateEvent[];
}

const reduces: Run = (fieldCase) => {
  const { task, artifactUpdates } = inputOf<Reduce>(fieldCase);
  const before = structuredClone(task);
  const after = artifactUpdates.reduce((now, artifactUpdate) => apply(now, { artifactUpdate }), task);
  expect(after.artifacts).toEqual(expectedOf<{ artifacts: unknown }>(fieldCase).artifacts);
  expect(task).toEqual(before);
};

/** Cases of the reducer, which is the only place where a task changes. */
export const streamRuns: Record<string, Run> = {
  B115b: reduces,
  B116: reduces,
  B117a: reduces,
};
