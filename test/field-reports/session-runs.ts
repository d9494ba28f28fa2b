import { toText, type Task } from "a2a-typed/session";
import { expect } from "vitest";
import { expectedOf, inputOf, type Run } from "./cases.js";

/** Cases about what language models get to see. */
export const sessionRuns: Record<string, Run> = {
  B171: (fieldCase) => {
    const { contains } = expectedOf<{ contains: string }>(fieldCase);
    expect(toText(inputOf<Task>(fieldCase))).toContain(contains);
  },
};
