import type { SqliteFile } from "./sqlite-file.js";

const ADD = `insert into a2a_counts (tenant, owner, state, n) values (?, ?, ?, ?)
  on conflict (tenant, owner, state) do update set n = n + excluded.n`;
const EMPTY = "delete from a2a_counts where tenant = ? and owner = ? and state = ? and n = 0";

/** Changes of the counts of a transaction, written at its end: one statement for each scope and state. */
export class CountChanges {
  readonly #changes = new Map<string, { readonly key: readonly [string, string, string]; by: number }>();

  /** Keys of tenant and owner, and the state. */
  add(tenant: string, owner: string, state: string, by: number): void {
    const name = `${tenant}\u0002${owner}\u0002${state}`;
    const known = this.#changes.get(name);
    if (known === undefined) this.#changes.set(name, { key: [tenant, owner, state], by });
    else known.by += by;
  }

  write(file: SqliteFile): void {
    for (const { key, by } of this.#changes.values()) {
      if (by !== 0) file.run(ADD, ...key, by);
      if (by < 0) file.run(EMPTY, ...key);
    }
  }
}
