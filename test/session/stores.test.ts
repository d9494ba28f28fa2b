import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  InMemoryTaskStore,
  JSONTaskStore,
  LocalFileStore,
  type Artifact,
  type FilePart,
  type Task,
} from "a2a-typed/session";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "a2a-session-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const all = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const task = (id: string, text = "hi"): Task => ({
  kind: "task",
  id,
  contextId: "c",
  status: { state: "completed" },
  artifacts: [{ artifactId: "a", parts: [{ kind: "text", text }] }],
});

/** Ids that lead somewhere else, or to each other's files, where they are taken for names. */
const hostileIds = [
  "../../etc/passwd",
  "..",
  ".",
  "",
  "/etc/passwd",
  "a/b",
  "a\\b",
  "C:\\x",
  "a\u0000b",
  "Task-1",
  "TASK-1",
  "task.1",
  "con",
  "x".repeat(300),
  "x".repeat(301),
  "日本",
  "__proto__",
  "-rf",
];

describe("JSONTaskStore", () => {
  it("keeps a task as <id>.json, gives it back and forgets it", async () => {
    const store = new JSONTaskStore(join(folder, "tasks"));
    expect(await store.load("task-123")).toBeUndefined();
    await store.save(task("task-123"));
    expect(all()).toEqual(["tasks/task-123.json"]);
    expect(JSON.parse(readFileSync(join(folder, "tasks/task-123.json"), "utf8"))).toEqual(task("task-123"));
    await store.save(task("task-123", "again"));
    expect(await new JSONTaskStore(join(folder, "tasks")).load("task-123")).toEqual(
      task("task-123", "again"),
    );
    await store.delete("task-123");
    await store.delete("task-123");
    expect(await store.load("task-123")).toBeUndefined();
  });

  it("keeps every id apart and inside of the folder", async () => {
    const store = new JSONTaskStore(join(folder, "deep/er/tasks"));
    for (const id of hostileIds) await store.save(task(id, id));
    for (const id of hostileIds) expect(await store.load(id)).toEqual(task(id, id));
    const files = all();
    expect(files.filter((name) => !/^deep\/er\/tasks\/[^/]+\.json$/.test(name))).toEqual([]);
    expect(new Set(files.map((name) => name.toLowerCase())).size).toBe(hostileIds.length);
  });

  it("leaves a whole task, whoever writes at the same time", async () => {
    const store = new JSONTaskStore(folder);
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(100_000));
    await Promise.all(texts.map((text) => store.save(task("t", text))));
    const loaded = await store.load("t");
    expect(texts.map((text) => task("t", text))).toContainEqual(loaded);
    expect(all()).toEqual(["t.json"]);
  });

  it("says which file is damaged", async () => {
    writeFileSync(join(folder, "t.json"), '{"id": "t", "status"');
    await expect(new JSONTaskStore(folder).load("t")).rejects.toThrow(/t\.json is not the task t/);
    writeFileSync(join(folder, "t.json"), JSON.stringify(task("other")));
    await expect(new JSONTaskStore(folder).load("t")).rejects.toMatchObject({ reason: "DECODE" });
  });
});

it("InMemoryTaskStore keeps the 1,000 tasks that were saved last", async () => {
  const store = new InMemoryTaskStore();
  for (let i = 0; i <= 1_000; i++) await store.save(task(`t${i}`));
  expect(await store.load("t0")).toBeUndefined();
  expect(await store.load("t1")).toEqual(task("t1"));
  await store.delete("t1");
  expect(await store.load("t1")).toBeUndefined();
});

const file = (name: string | undefined, content: string): FilePart => ({
  kind: "file",
  file: { ...(name !== undefined && { name }), bytes: Buffer.from(content).toString("base64") },
});
const artifact = (...parts: FilePart[]): Artifact => ({ artifactId: "art-789", parts });

describe("LocalFileStore", () => {
  it("reproduces the sample of the document", async () => {
    const store = new LocalFileStore(folder);
    const saved = await store.save("task-123", artifact(file("quarterly_report.pdf", "%PDF")));
    expect(saved).toEqual([`${folder}/task-123/art-789/quarterly_report.pdf`]);
    expect(await store.get("task-123", "art-789")).toEqual(saved);
    expect(readFileSync(saved[0]!, "utf8")).toBe("%PDF");
    await store.delete("task-123", "art-789");
    expect(await store.get("task-123", "art-789")).toEqual([]);
    expect(await store.get("no", "such")).toEqual([]);
  });

  it("keeps files of one name beside each other, also where upper case is the same", async () => {
    const saved = await new LocalFileStore(folder).save(
      "t",
      artifact(
        file("a.txt", "1"),
        file("a.txt", "2"),
        file("A.TXT", "3"),
        file("a-2.txt", "4"),
        file(undefined, "5"),
      ),
    );
    expect(saved.map((path) => path.slice(folder.length))).toEqual([
      "/t/art-789/a.txt",
      "/t/art-789/a-2.txt",
      "/t/art-789/A-3.TXT",
      "/t/art-789/a-2-2.txt",
      "/t/art-789/file_4",
    ]);
    expect(saved.map((path) => readFileSync(path, "utf8"))).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("keeps names and ids inside of the folder", async () => {
    const store = new LocalFileStore(join(folder, "files"));
    const names = [
      "../../x",
      "..\\..\\x",
      "/etc/passwd",
      "..",
      ".hidden",
      "a\u0000b",
      "con.txt",
      "é".repeat(300) + ".pdf",
      "x. ",
    ];
    for (const id of hostileIds) {
      await store.save(id, { artifactId: id, parts: names.map((name) => file(name, name)) });
      expect(await store.get(id, id)).toHaveLength(names.length);
    }
    expect(all().filter((name) => !/^files\/[^/]+\/[^/]+\/[^/]+$/.test(name))).toEqual([]);
    expect(all()).toHaveLength(hostileIds.length * names.length);
  });

  it("replaces what was saved before", async () => {
    const store = new LocalFileStore(folder);
    await store.save("t", artifact(file("old.txt", "old"), file("same.txt", "old")));
    await store.save("t", artifact(file("same.txt", "new")));
    expect(all()).toEqual(["t/art-789/same.txt"]);
    expect(readFileSync(join(folder, "t/art-789/same.txt"), "utf8")).toBe("new");
  });
});

describe("LocalFileStore and files named by a URL", () => {
  let server: Server;
  let origin: string;
  let requests: string[];
  beforeEach(async () => {
    requests = [];
    server = createServer(({ url = "" }, response) => {
      requests.push(url);
      if (url === "/moved") response.writeHead(302, { location: "/a.txt" }).end();
      else if (url === "/missing") response.writeHead(404).end("no");
      else if (url === "/slow") response.writeHead(200).write("x");
      else response.end("x".repeat(url === "/large" ? 2_000 : 10));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const save = async (path: string, allow: readonly string[]) => {
    const problems: string[] = [];
    const store = new LocalFileStore(folder, {
      allow,
      maxBytes: 1_000,
      timeoutMs: path === "/slow" ? 300 : 10_000,
      onProblem: (problem) => problems.push(problem),
    });
    const part: FilePart = { kind: "file", file: { name: "a.txt", uri: origin + path } };
    return { saved: await store.save("t", artifact(part)), problems };
  };

  it("fetches from public addresses and from those that are allowed", async () => {
    const refused = await save("/a.txt", []);
    expect(refused).toEqual({ saved: [], problems: [expect.stringContaining("must be a public address")] });
    expect(requests).toEqual([]);
    const { saved } = await save("/a.txt", [origin]);
    expect(readFileSync(saved[0]!, "utf8")).toBe("x".repeat(10));
  });

  it.each([
    ["/large", /larger than 1000 bytes/],
    ["/moved", /answered with 302/],
    ["/missing", /answered with 404/],
    ["/slow", /within 300 ms/],
  ])("gives up on %s and says why", async (path, problem) => {
    const { saved, problems } = await save(path, [origin]);
    expect(saved).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(requests).toEqual([path]);
    expect(all()).toEqual([]);
  });
});
