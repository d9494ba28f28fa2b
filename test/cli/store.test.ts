import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./run.js";

const folder = mkdtempSync(join(tmpdir(), "a2a-typed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tables = (file: string): string[] => {
  const db = new Database(file);
  try {
    const rows = db.prepare("select name from sqlite_master where type = 'table' and name like 'a2a%'").all();
    return (rows as { name: string }[]).map(({ name }) => name).sort();
  } finally {
    db.close();
  }
};

describe("store", () => {
  it("migrates, says what is applied, and takes it back", async () => {
    const file = join(folder, "a.db");
    const url = `sqlite:${file}`;
    expect((await run(["store", "status", url])).out).toBe("pending 0001-tasks\n");
    expect(await run(["store", "migrate", url])).toEqual({ code: 0, out: "applied 0001-tasks\n", err: "" });
    expect((await run(["store", "migrate", url])).out).toBe("nothing to do\n");
    expect((await run(["store", "status", url])).out).toBe("applied 0001-tasks\n");
    expect(JSON.parse((await run(["store", "status", url, "--json"])).out)).toEqual([
      { name: "0001-tasks", applied: true },
    ]);
    expect(tables(file)).toContain("a2a_tasks");
    expect((await run(["store", "rollback", url])).out).toBe("took back 0001-tasks\n");
    expect(tables(file)).toEqual([]);
    expect((await run(["store", "rollback", url])).out).toBe("nothing to do\n");
  });

  it("--sql prints what leads to the same tables, and what takes them back", async () => {
    const file = join(folder, "b.db");
    const url = `sqlite:${file}`;
    const { out } = await run(["store", "migrate", url, "--sql"]);
    // Nothing is opened, so nothing is made.
    expect(existsSync(file)).toBe(false);
    const all = await run(["store", "migrate", "postgres://nobody@127.0.0.1:1/none", "--sql"]);
    expect(all).toMatchObject({ code: 0, out: expect.stringContaining('create table "a2a_tasks"') });
    const none = await run(["store", "migrate", url, "--sql", "--from", "0001-tasks"]);
    expect(none.out).not.toContain("a2a_tasks");
    const wrong = await run(["store", "migrate", url, "--sql", "--from", "0009-more"]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("there are 0001-tasks") });
    const other = join(folder, "c.db");
    const db = new Database(other);
    db.exec(out);
    db.close();
    expect((await run(["store", "status", `sqlite:${other}`])).out).toBe("applied 0001-tasks\n");
    await run(["store", "migrate", url]);
    expect(tables(other)).toEqual(tables(file));
    const back = await run(["store", "rollback", `sqlite:${other}`, "--sql"]);
    const again = new Database(other);
    again.exec(back.out);
    again.close();
    expect(tables(other)).toEqual([]);
    expect((await run(["store", "status", `sqlite:${other}`])).out).toBe("pending 0001-tasks\n");
  });

  it("refuses a file of a newer version, and what is no store with migrations", async () => {
    const file = join(folder, "d.db");
    await run(["store", "migrate", `sqlite:${file}`]);
    const db = new Database(file);
    db.exec("insert into kysely_migration values ('9999-future', '')");
    db.close();
    const { code, err } = await run(["store", "migrate", `sqlite:${file}`]);
    expect([code, err]).toEqual([1, expect.stringMatching(/CONFIG: .*9999-future.*update a2a-typed/)]);
    const none = await run(["store", "status", "redis://user:secret@host"]);
    expect(none.code).toBe(2);
    expect(none.err).not.toContain("secret");
  });
});
