import { nameKey } from "./name-key.js";
import type { Scope } from "../types.js";

/** Keys of a task: `[tenant, owner, id]`. */
export type TaskKey = readonly [tenant: string, owner: string, id: string];

/** The keys that a task is found by. */
export const taskKey = ({ tenant, owner }: Scope, taskId: string): TaskKey => [
  nameKey(tenant),
  nameKey(owner),
  nameKey(taskId),
];

/** JSON of a name where its key does not tell it, else null: JSON escapes what a text column cannot hold. */
export const nameOf = (name: string, key: string): string | null =>
  name === key ? null : JSON.stringify(name);

/** JSON of tenant, owner and id where a key does not tell one of them, else null. */
export const namesOf = ({ tenant, owner }: Scope, taskId: string, key: TaskKey): string | null =>
  tenant === key[0] && owner === key[1] && taskId === key[2] ? null : JSON.stringify([tenant, owner, taskId]);
