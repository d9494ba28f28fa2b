import { A2AError } from "../errors.js";
import type { ListTasksRequest, pivot, Task } from "../versions/pivot.js";
import type { CallOptions, Client } from "./client-types.js";

/** The tasks that match, page after page; each is asked for when the one before has been read (A2A-3.1.4-g, A2A-3.1.4-n). */
export async function* listTasks(
  client: Pick<Client<typeof pivot>, "listTasks">,
  query: ListTasksRequest = {},
  options?: CallOptions,
): AsyncGenerator<Task, void, undefined> {
  const seen = new Set<string>();
  let pageToken = query.pageToken;
  for (;;) {
    const page = await client.listTasks({ ...query, ...(pageToken && { pageToken }) }, options);
    yield* page.tasks;
    pageToken = page.nextPageToken;
    if (!pageToken) return;
    // Pages in a circle would never end.
    if (seen.has(pageToken)) {
      throw new A2AError("INVALID_AGENT_RESPONSE", "The agent gave the same page of tasks again", {
        code: -32006,
      });
    }
    seen.add(pageToken);
  }
}
