import { sql, type ColumnDataType, type CreateTableBuilder, type Expression, type Kysely } from "kysely";

/** A step of the schema, and its way back. */
export interface SqlMigration {
  up(db: Kysely<unknown>): Promise<void>;
  down(db: Kysely<unknown>): Promise<void>;
}

/** How a database spells what the tables need. */
export interface Flavor {
  /** Text whose order is that of its bytes. */
  readonly text: ColumnDataType | Expression<unknown>;
  /** Integers of 64 bits. */
  readonly int: ColumnDataType;
  readonly bool: ColumnDataType;
  /** A table that is kept in the order of its primary key, where that can be had. */
  clustered<Columns extends string>(
    table: CreateTableBuilder<string, Columns>,
  ): CreateTableBuilder<string, Columns>;
  /** Adds the column `seq`: the order in which rows came. `once`: the number of a row that went comes never again. */
  numbered<Columns extends string>(
    table: CreateTableBuilder<string, Columns>,
    once?: "once",
  ): CreateTableBuilder<string, Columns | "seq">;
}

/** SQLite. */
export const sqliteFlavor: Flavor = {
  text: "text",
  int: "integer",
  bool: "integer",
  clustered: (table) => table.modifyEnd(sql`without rowid`),
  numbered: (table, once) =>
    table.addColumn("seq", "integer", (c) =>
      once === undefined ? c.primaryKey() : c.primaryKey().autoIncrement(),
    ),
};

/** PostgreSQL. */
export const postgresFlavor: Flavor = {
  text: sql`text collate "C"`,
  int: "bigint",
  bool: "boolean",
  clustered: (table) => table,
  numbered: (table) => table.addColumn("seq", "bigserial", (c) => c.primaryKey()),
};
