/** What the folder of a file store survives, and what it says of what it does not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileStore } from "../../src/files.js";
import type { CommitEntry, TaskStore } from "../../src/server.js";
import { fileNameOf } from "../../src/store/files/file-name.js";

const scope = { tenant: "", owner: "" };
const head = { contextId: "c", state: "WORKING", timestamp: "2030-01-01T00:00:00.000Z", terminal: false };
const birth = (taskId: string): CommitEntry => ({
  scope,
  taskId,
  expect: 0,
  fence: 0,
  head,
  events: [{ n: 1, text: "{}" }],
  snapshot: { at: 1, received: 0, text: "{}" },
});
const append = (taskId: string, n: number, text = "{}"): CommitEntry => ({
  scope,
  taskId,
  expect: n - 1,
  fence: 0,
  events: [{ n, text }],
});

let dir: string;
let problems: string[];
const open = (): TaskStore => fileStore({ dir, report: (problem) => problems.push(problem) });
const pathOf = (id: string, ending: string): string => join(dir, `${fileNameOf(scope, id)}.${ending}`);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "a2a-files-"));
  problems = [];
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe("what was not finished", () => {
  test("a line that was written in part is cut off, and the next one stands", async () => {
    const store = open();
    void store.commit([birth("a"), append("a", 2)]);
    await store.close?.();
    const log = pathOf("a", "events");
    const whole = statSync(log).size;
    appendFileSync(log, readFileSync(log, "utf8").split("\n")[1]?.slice(0, -5) ?? "");
    for (let n = 3; n < 5; n += 1) {
      const again = open();
      expect(await again.read(scope, "a", { after: 0 })).toMatchObject({ revision: n - 1 });
      expect(await again.commit([append("a", n)])).toEqual(["ok"]);
      await again.close?.();
    }
    expect(statSync(log).size).toBeGreaterThan(whole);
    const last = await open().read(scope, "a", { after: 0 });
    expect(last?.events.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    expect(problems).toEqual([]);
  });

  test("a commit whose JSON file was not written has not happened, wherever its last line was cut", async () => {
    const store = open();
    void store.commit([birth("a"), append("a", 2)]);
    const json = readFileSync(pathOf("a", "json"));
    void store.commit([{ ...append("a", 3), snapshot: { at: 3, received: 0, text: "[3]" } }]);
    await store.close?.();
    // As it was between the line and the file.
    writeFileSync(pathOf("a", "json"), json);
    writeFileSync(join(dir, "x.json.tmp"), "{");
    const again = open();
    expect(await again.read(scope, "a")).toMatchObject({ revision: 2, snapshot: { at: 1 } });
    expect(await again.commit([append("a", 3)])).toEqual(["ok"]);
    await again.close?.();
    expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(await open().read(scope, "a")).toMatchObject({ revision: 3 });
  });

  test("at every length that a power cut may leave, the task is as it was after one of its commits", async () => {
    const store = open();
    void store.commit([birth("a"), append("a", 2, "ü".repeat(9)), append("a", 3)]);
    await store.close?.();
    const log = readFileSync(pathOf("a", "events"));
    const first = log.indexOf("\n") + 1;
    for (let length = log.length; length >= first; length -= 1) {
      truncateSync(pathOf("a", "events"), 0);
      writeFileSync(pathOf("a", "events"), log.subarray(0, length));
      const again = open();
      const lines = log.subarray(0, length).toString("latin1").split("\n").length - 1;
      expect(await again.read(scope, "a", { after: 0 })).toMatchObject({ revision: lines });
      await again.close?.();
    }
    expect(problems).toEqual([]);
  });
});

describe("what cannot be read", () => {
  test("damaged and foreign files are reported by name and left alone; the others are there", async () => {
    const store = open();
    void store.commit([
      birth("good"),
      birth("cut"),
      birth("odd"),
      birth("moved"),
      birth("hole"),
      append("hole", 2),
    ]);
    await store.close?.();
    truncateSync(pathOf("cut", "json"), 20);
    writeFileSync(
      pathOf("odd", "json"),
      readFileSync(pathOf("odd", "json"), "utf8").replace('"seq":', '"sea":'),
    );
    writeFileSync(join(dir, "foreign.json"), '{"hello":1}');
    writeFileSync(join(dir, "list.json"), "[]");
    writeFileSync(join(dir, "notes.txt"), "mine");
    writeFileSync(join(dir, "copy.json"), readFileSync(pathOf("moved", "json")));
    writeFileSync(pathOf("hole", "events"), `junk\n${readFileSync(pathOf("hole", "events"), "utf8")}`);
    const before = readdirSync(dir).filter((name) => name !== "lock");
    const again = open();
    const listed = await again.list(scope, { pageSize: 10 });
    expect(listed.tasks.map(({ taskId }) => taskId)).toEqual(["moved", "good"]);
    const named = problems.map((problem) => /([^/\\]*\.json) was skipped: ./.exec(problem)?.[1]);
    expect(named.toSorted()).toEqual(
      [
        "copy.json",
        "foreign.json",
        "list.json",
        ...["cut", "odd", "hole"].map((id) => `${fileNameOf(scope, id)}.json`),
      ].toSorted(),
    );
    expect(readdirSync(dir).filter((name) => name !== "lock")).toEqual(before);
    await again.close?.();
  });

  test("events that a task builds on and that are gone: it is reported, not shown without them", async () => {
    const store = open();
    void store.commit([birth("a"), { ...append("a", 2), snapshot: { at: 1, received: 0, text: "{}" } }]);
    await store.close?.();
    rmSync(pathOf("a", "events"));
    expect(await open().read(scope, "a")).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining("events are missing")]);
  });

  test("what cannot be written is thrown, and is not there: neither now nor later", async () => {
    const store = open();
    void store.commit([birth("a"), append("a", 2)]);
    const third = { ...append("a", 3), snapshot: { at: 3, received: 0, text: "[3]" } };
    // A folder in the place of the draft: no JSON file can be written.
    const draft = `${pathOf("a", "json")}.tmp`;
    mkdirSync(draft);
    expect(() => store.commit([third])).toThrow(/EISDIR/);
    expect(await store.read(scope, "a")).toMatchObject({ revision: 2, snapshot: { at: 1 } });
    rmdirSync(draft);
    expect(await store.commit([third])).toEqual(["ok"]);
    await store.close?.();
    expect(() => store.commit([append("a", 4)])).toThrow(/closed/);
    expect(() => store.commit([birth("b")])).toThrow(/closed/);
    const again = open();
    expect(await again.read(scope, "a")).toMatchObject({ revision: 3, snapshot: { text: "[3]" } });
    expect(await again.read(scope, "b")).toBeUndefined();
    await again.close?.();
  });
});

describe("names and sizes", () => {
  test("names never lead out of the folder, and are short whatever the id", () => {
    const ids = [
      "..",
      "../../etc/passwd",
      "a/b",
      "a\\b",
      "",
      "\0",
      "C:\\x",
      "x".repeat(100_000),
      "\u{1f600}".repeat(500),
    ];
    const names = ids.map((id) => fileNameOf({ tenant: id, owner: id }, id));
    expect(new Set(names).size).toBe(ids.length);
    for (const name of names) {
      expect(relative(dir, resolve(dir, name))).toBe(name);
      expect(name).toMatch(/^[A-Za-z0-9_-]{0,40}\.[0-9a-f]{40}$/);
    }
  });

  test("an append writes its event and little more, however long the task is", () => {
    const store = open();
    void store.commit([birth("a")]);
    const written: number[] = [];
    for (let n = 2; n <= 1_000; n += 1) {
      const before = statSync(pathOf("a", "events")).size;
      void store.commit([append("a", n, "x".repeat(100))]);
      written.push(statSync(pathOf("a", "events")).size - before);
    }
    expect(Math.max(...written)).toBeLessThan(250);
  });

  test("many small changes do not let the file grow without bound", () => {
    const store = open();
    void store.commit([birth("a")]);
    for (let i = 0; i < 10_000; i += 1) {
      void store.commit([
        { scope, taskId: "a", fence: 1, events: [], lease: { holder: "me", expires: i, fence: 1 } },
      ]);
    }
    expect(statSync(pathOf("a", "events")).size).toBeLessThan(300 * 1_024);
  });
});

describe("one process per folder", () => {
  test("a second store is refused, and says what to do; after close it may have it", async () => {
    const store = open();
    expect(open).toThrow(
      expect.objectContaining({ reason: "CONFIG", message: expect.stringMatching(/in use.*another folder/) }),
    );
    await store.close?.();
    await open().close?.();
    expect(readdirSync(dir)).toEqual([]);
  });

  test("a living process keeps it; a dead one, killed as it may be, does not, and what it committed is there", async () => {
    const entry = new URL("../../src/files.ts", import.meta.url).href;
    const script = `
      const { fileStore } = await import(${JSON.stringify(entry)});
      const store = fileStore({ dir: process.argv[1] });
      store.commit([${JSON.stringify(birth("a"))}, ${JSON.stringify(append("a", 2))}]);
      console.log("ready");
      setInterval(() => {}, 1000);
    `;
    const args = ["--import", "tsx", "--input-type=module", "-e", script, dir];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(open).toThrow(new RegExp(`in use by process ${String(child.pid)}`));
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = open();
    expect(await store.read(scope, "a")).toMatchObject({ revision: 2 });
    await store.close?.();
  });
});
