import { Command } from "commander";
import type { MigrationState } from "../../store/sql/migrate.js";
import type { Io } from "../io.js";
import { jsonOption } from "../options.js";
import { withStoreDatabase } from "../store-database.js";

interface StoreOptions {
  readonly json?: true;
  readonly sql?: true;
}

/** `a2a-typed store migrate|status|rollback <url>`: the tables of a store. */
export const storeCommand = (io: Io): Command => {
  const sub = (name: string, description: string): Command => {
    const command = new Command(name)
      .description(description)
      .argument("<url>", "sqlite:tasks.db, postgres://…");
    return name === "status"
      ? command.addOption(jsonOption())
      : command.addOption(jsonOption()).option("--sql", "print the SQL and change nothing");
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
  { json, sql }: StoreOptions,
  io: Io,
): Promise<void> {
  const [{ migrateDown, migrateUp, migrationStates }, { migrationText }] = await Promise.all([
    import("../../store/sql/migrate.js"),
    import("../../store/sql/migration-text.js"),
  ]);
  await withStoreDatabase(url, async ({ db, flavor, dialect }) => {
    if (sql) {
      const states = await migrationStates(db);
      const names = states
        .filter(({ applied }) => applied === (direction === "down"))
        .map(({ name }) => name);
      io.out(await migrationText(dialect, flavor, direction === "up" ? names : names.slice(-1), direction));
      return;
    }
    const done = await (direction === "up" ? migrateUp : migrateDown)(db, flavor);
    if (json) io.out(JSON.stringify(done) + "\n");
    else if (done.length === 0) io.out("nothing to do\n");
    else for (const name of done) io.out(`${direction === "up" ? "applied" : "took back"} ${name}\n`);
  });
}
