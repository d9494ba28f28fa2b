import type { Scope } from "../../src/store/types.js";
import { totalSize } from "./calls.js";
import type { Instance } from "./instance.js";
import { checkStored, nothing, type Checked } from "./invariants.js";
import type { Place } from "./places.js";

const SCOPE: Scope = { tenant: "", owner: "" };

/**
 * What must hold of a whole store after a fault: every task ended as it should, also one whose birth nobody heard of; the
 * counters are what `count(*)` finds, and what ListTasks says.
 */
export async function checkStore({ store, counts }: Place, instance: Instance, into: Checked): Promise<void> {
  const all = nothing();
  let pageToken = "";
  let listed = 0;
  do {
    const page = await store.list(SCOPE, { pageSize: 100, ...(pageToken !== "" && { pageToken }) });
    for (const { taskId } of page.tasks) {
      const stored = await store.read(SCOPE, taskId, { after: 0 });
      if (stored !== undefined) checkStored(stored, all);
    }
    listed += page.tasks.length;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  into.problems.push(...all.problems);

  let sum = 0;
  for (const { state, counted, there } of await counts()) {
    sum += there;
    const size = await totalSize(instance.url, state);
    if (counted !== there || size !== there)
      into.problems.push(
        `${state}: ${String(there)} tasks, counted as ${String(counted)}, totalSize ${String(size)}`,
      );
  }
  const size = await totalSize(instance.url);
  if (size !== sum || listed !== sum)
    into.problems.push(`${String(sum)} tasks, totalSize ${String(size)}, listed ${String(listed)}`);
  into.stored += sum;
}
