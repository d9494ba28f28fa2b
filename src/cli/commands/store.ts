import { Command } from "commander";
import type { MigrationState } from "../../store/sql/migrate.js";
import type { Io } from "../io.js";
import { jsonOption } from "../options.js";
import { CliFailure } from "../failure.js";
import { storeDialect, withStoreDatabase } from "../store-database.js";
import { migrationNames } from "../../store/sql/migration-names.js";

interface StoreOptions {
  readonly json?: true;
  readonly sql?: true;
  readonly from?: string;
}

/** `a2a-typed store migrate|status|rollback <url>`: the tables of a store. */
export const storeCommand = (io: Io): Command => {
  const sub = (name: string, description: string): Command => {
    const command = new Command(name)
      .description(description)
      .argument("<url>", "sqlite:tasks.db, postgres://…");
    return name === "status"
      ? command.addOption(jsonOption())
      : command
          .addOption(jsonOption())
          .option("--sql", "print the SQL of all steps, or of the last one back; nothing is opened")
          .option("--from <migration>", "with --sql: only what comes after this step");
  };
  return new Command("store")
    .description("bring the tables of a task store up to date, or back")
    .addCommand(
      sub("migrate", "apply what is pending").action((url: string, options: StoreOptions) =>
        change(url, "up", options, io),
      ),
    )
    .addCommand(
      sub("rollback", "take the last migration back, with the data in its tables").action(
        (url: string, options: StoreOptions) => change(url, "down", options, io),
      ),
    )
    .addCommand(
      sub("status", "print what is applied and what is pending").action(
        async (url: string, { json }: StoreOptions) => {
          const { migrationStates } = await import("../../store/sql/migrate.js");
          const states = await withStoreDatabase(url, ({ db }) => migrationStates(db));
          io.out(json ? JSON.stringify(states) + "\n" : states.map(stateLine).join(""));
        },
      ),
    );
};

const stateLine = ({ name, applied }: MigrationState): string =>
  `${applied ? "applied" : "pending"} ${name}\n`;

async function change(
  url: string,
  direction: "up" | "down",
  { json, sql, from }: StoreOptions,
  io: Io,
): Promise<void> {
  if (sql) {
    io.out(await textOf(url, direction, from));
    return;
  }
  if (from !== undefined) throw new CliFailure("--from goes with --sql", 2);
  const { migrateDown, migrateUp } = await import("../../store/sql/migrate.js");
  await withStoreDatabase(url, async ({ db, flavor }) => {
    const done = await (direction === "up" ? migrateUp : migrateDown)(db, flavor);
    if (json) io.out(JSON.stringify(done) + "\n");
    else if (done.length === 0) io.out("nothing to do\n");
    else for (const name of done) io.out(`${direction === "up" ? "applied" : "took back"} ${name}\n`);
  });
}

/** The SQL, for whoever runs it by hand; the database need not be there. */
async function textOf(url: string, direction: "up" | "down", from: string | undefined): Promise<string> {
  const { flavor, dialect } = await storeDialect(url);
  const { migrationText } = await import("../../store/sql/migration-text.js");
  const after = from === undefined ? 0 : migrationNames.findIndex((name) => name === from) + 1;
  if (from !== undefined && after === 0) {
    throw new CliFailure(`there is no step ${from}; there are ${migrationNames.join(", ")}`, 2);
  }
  const names = migrationNames.slice(after);
  return migrationText(dialect, flavor, direction === "up" ? names : names.slice(-1), direction);
}
