import type { Lease, Scope, StoredTask, TaskStore } from "../store/types.js";
import { TaskState } from "../versions/pivot.js";
import type { Ownership } from "./ownership.js";

/** Why nobody works on a task that is at work: its process is gone, or nobody went on with it in time. */
export type Orphan = "dead" | "abandoned";

/** A task as it was read, and how it stands with its lease. */
export interface Loaded {
  readonly stored: StoredTask | undefined;
  /** Ours from now on. */
  readonly lease?: Lease;
  /** It is ours, and must be recovered first. */
  readonly orphan?: Orphan;
  /** Another instance has it. */
  readonly elsewhere?: true;
}

/**
 * Reads a task in a store that others write to. Whoever is to change it takes its lease first, so that what is read then is
 * what it is; whoever only looks at it takes it only where it must be recovered.
 */
export async function takeTask(
  ownership: Ownership,
  store: TaskStore,
  scope: Scope,
  id: string,
  look: boolean,
): Promise<Loaded> {
  await ownership.left(id);
  const first = await store.read(scope, id);
  if (first === undefined || first.head.terminal) return { stored: first };
  const standing = standingOf(first, ownership);
  if (standing === "elsewhere") return { stored: first, elsewhere: true };
  if (look && standing === "free") return { stored: first };
  const lease = await store.lease.acquire(scope, id, ownership.holder, ownership.now(), ownership.leaseMs);
  // Whoever recovers it wants all its events.
  const stored =
    standing === "free"
      ? await store.read(scope, id)
      : await store.read(scope, id, { after: first.replayFrom });
  if (lease !== undefined) return { stored, lease, ...(standing !== "free" && { orphan: standing }) };
  return stored === undefined || stored.head.terminal ? { stored } : { stored, elsewhere: true };
}

function standingOf({ head, lease }: StoredTask, ownership: Ownership): "free" | "elsewhere" | Orphan {
  const ended = lease === undefined || lease.expires <= ownership.now();
  if (!ended && lease.holder !== "" && lease.holder !== ownership.holder) return "elsewhere";
  if (RESTS.has(head.state)) return "free";
  if (lease?.holder === "") return ended ? "abandoned" : "free";
  return "dead";
}

const RESTS: ReadonlySet<string> = new Set([TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]);
