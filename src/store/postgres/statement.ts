/** SQL that is prepared once per connection. Tables are named without a schema: `a2a_tasks`. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement by a short name of its own. */
export const statement = (name: string, text: string): Statement => ({ name, text });

/** The start and the ends of a transaction; they are not worth preparing. */
export const BEGIN = statement("", "begin");
export const COMMIT = statement("", "commit");
export const ROLLBACK = statement("", "rollback");

/** Holds off commits to one task until the transaction ends. */
export const HOLD_TASK = statement(
  "hold task",
  "select 1 from a2a_tasks where tenant = $1 and owner = $2 and id = $3 for no key update",
);
