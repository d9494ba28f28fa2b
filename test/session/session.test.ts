import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { A2AError } from "a2a-typed";
import { createRouter, defineAgent, serve, type RunningServer } from "a2a-typed/server";
import {
  A2AAgents,
  A2ASession,
  A2ATools,
  LocalFileStore,
  type A2ASessionOptions,
  type Task,
} from "a2a-typed/session";
import { A2A, textOf, type Message, type Part } from "a2a-typed/v1";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { researchAgent10, serveWithCard } from "./agents.js";

function openGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

let gate = openGate();
const heard: Message[] = [];
const report: Part = { raw: "JVBERg==", filename: "q4-report.pdf", mediaType: "application/pdf" };

const agentOf = (streaming: boolean) =>
  defineAgent({
    card: {
      name: "Worker",
      description: "Does what it is told.",
      capabilities: { streaming },
      defaultInputModes: ["text/plain", "application/json", "text/csv", "image/png"],
      skills: [{ id: "work", name: "Work", description: "Works.", tags: ["work"] }],
    },
    async handle(ctx, message) {
      heard.push(message);
      const said = textOf(message);
      if (said === "slow") {
        ctx.working("on it");
        await gate.promise;
        ctx.artifact([{ data: { total: 3 } }], { name: "total" });
        return ctx.completed("done");
      }
      if (said === "ask") return ctx.inputRequired("Which city?");
      if (said === "files") {
        ctx.artifact([report, report], { name: "reports" });
        return ctx.completed([{ text: "see" }, report]);
      }
      if (said === "long") {
        ctx.artifact([{ text: Array.from({ length: 20_000 }, (_, i) => `line ${i + 1}`).join("\n") }], {
          name: "log",
        });
        return ctx.completed("done");
      }
      return ctx.completed(`heard: ${said}`);
    },
  });

const kinds = [
  ["1.0, streaming", true, ["1.0"]],
  ["1.0, polled", false, ["1.0"]],
  ["0.3, streaming", true, ["0.3"]],
  ["0.3, polled", false, ["0.3"]],
] as const;

const servers = new Map<string, RunningServer>();
beforeAll(async () => {
  for (const [name, streaming, versions] of kinds) {
    servers.set(name, await serve(agentOf(streaming), { port: 0, versions: [...versions] }));
  }
});
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

let folder = "";
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = "";
});
const newFolder = (): string => (folder = mkdtempSync(join(tmpdir(), "a2a-session-")));

const sessionOf = (name: string, options: A2ASessionOptions = {}): A2ASession =>
  new A2ASession(new A2AAgents({ worker: { url: servers.get(name)!.url } }), {
    getTaskPollInterval: 0.02,
    ...options,
  });

describe.each(kinds)("an agent of %s", (name) => {
  it("is waited for until the task has ended", async () => {
    gate = openGate();
    const session = sessionOf(name);
    const sent = session.sendMessage("worker", "slow");
    await expect.poll(() => heard.at(-1) && textOf(heard.at(-1))).toBe("slow");
    gate.resolve();
    expect(await sent).toMatchObject({
      kind: "task",
      status: { state: "completed", message: { parts: [{ kind: "text", text: "done" }] } },
      artifacts: [{ name: "total", parts: [{ kind: "data", data: { total: 3 } }] }],
    });
  });

  it("comes back as it is when the time is up; getTask goes on from there", async () => {
    gate = openGate();
    const session = sessionOf(name);
    const tools = new A2ATools(session);
    const task = (await session.sendMessage("worker", "slow", { timeout: 0.3 })) as Task;
    expect(task.status.state).toBe("working");
    const again = await tools.getTask.execute({ agentId: "worker", taskId: task.id, timeout: 0.2 });
    expect(again).toMatchObject({ id: task.id, status: { state: "working" } });
    const waiting = tools.getTask.execute({ agentId: "worker", taskId: task.id });
    gate.resolve();
    expect(await waiting).toMatchObject({
      id: task.id,
      status: { state: "completed", message: { parts: [{ text: "done" }] } },
      artifacts: [{ name: "total", parts: [{ data: { total: 3 } }] }],
    });
  });

  it("asks, and is answered in the context of the task", async () => {
    const session = sessionOf(name);
    const task = (await session.sendMessage("worker", "ask")) as Task;
    expect(task.status.state).toBe("input-required");
    const answered = await session.sendMessage("worker", "Rome", { taskId: task.id });
    expect(answered).toMatchObject({
      id: task.id,
      contextId: task.contextId,
      status: { state: "completed" },
    });
    // Another session does not know the context, and leaves it to the agent.
    const other = (await session.sendMessage("worker", "ask")) as Task;
    expect(await sessionOf(name).sendMessage("worker", "Rome", { taskId: other.id })).toMatchObject({
      id: other.id,
      contextId: other.contextId,
    });
  });
});

describe("files that come", () => {
  it("are stored and told to the model by their paths, of artifacts and of what is said", async () => {
    const files = newFolder();
    const tools = new A2ATools(sessionOf("1.0, streaming", { fileStore: new LocalFileStore(files) }));
    const task = await tools.sendMessage.execute({ agentId: "worker", message: "files" });
    if (!("artifacts" in task)) throw new Error(JSON.stringify(task));
    const [artifact] = task.artifacts;
    const base = `${files}/${task.id}/${artifact!.artifactId}`;
    const file = { kind: "file", name: "q4-report.pdf", mimeType: "application/pdf", uri: null };
    const saved = { _saved_to: [`${base}/q4-report-2.pdf`, `${base}/q4-report.pdf`] };
    expect(artifact?.parts).toEqual([
      { ...file, bytes: saved },
      { ...file, bytes: saved },
    ]);
    expect(readFileSync(`${base}/q4-report.pdf`, "utf8")).toBe("%PDF");
    const [, said] = task.status.message!.parts;
    const { bytes } = said as unknown as { bytes: { _saved_to: string[] } };
    expect(readFileSync(bytes._saved_to[0]!, "utf8")).toBe("%PDF");
  });

  it("are told as an error without a store", async () => {
    const tools = new A2ATools(sessionOf("1.0, streaming"));
    const task = await tools.sendMessage.execute({ agentId: "worker", message: "files" });
    expect(JSON.stringify(task)).not.toContain("JVBERg");
    expect(task).toMatchObject({ artifacts: [{ parts: [{ bytes: { _error: expect.any(String) } }, {}] }] });
  });

  it("cost no answer where the store fails", async () => {
    const problems: string[] = [];
    const path = join(newFolder(), "file");
    writeFileSync(path, "");
    const session = sessionOf("1.0, streaming", {
      fileStore: new LocalFileStore(path),
      onProblem: (problem) => problems.push(problem),
    });
    expect(await session.sendMessage("worker", "files")).toMatchObject({ status: { state: "completed" } });
    expect(problems[0]).toMatch(/^The files of artifact .*: the store failed/);
  });
});

describe("files and data that are sent", () => {
  it("are parts of the message", async () => {
    const path = join(newFolder(), "data.csv");
    writeFileSync(path, "a,b");
    await sessionOf("1.0, polled").sendMessage("worker", "hello", {
      data: [{ a: 1 }, [1, 2]],
      files: [path, "https://example.com/pictures/cat.png?size=1"],
    });
    expect(heard.at(-1)?.parts).toEqual([
      { text: "hello" },
      { data: { a: 1 } },
      { data: [1, 2] },
      { raw: "YSxi", filename: "data.csv", mediaType: "text/csv" },
      { url: "https://example.com/pictures/cat.png?size=1", filename: "cat.png", mediaType: "image/png" },
    ]);
  });

  it("are refused where they are too large, no files, or outside of the folders that are given", async () => {
    const root = join(newFolder(), "root");
    mkdirSync(root);
    writeFileSync(join(folder, "secret.txt"), "secret");
    writeFileSync(join(root, "large.txt"), "x".repeat(11));
    writeFileSync(join(root, "fine.txt"), "x");
    symlinkSync(join(folder, "secret.txt"), join(root, "link.txt"));
    const tools = new A2ATools(sessionOf("1.0, polled", { fileRoots: [root], maxFileBytes: 10 }));
    const before = heard.length;
    const send = async (file: string) =>
      tools.sendMessage.execute({ agentId: "worker", message: "hi", files: [join(root, file)] });
    for (const [file, message] of [
      ["../secret.txt", /not in a folder that files may be sent from/],
      ["../missing.txt", /not in a folder that files may be sent from/],
      ["link.txt", /not in a folder that files may be sent from/],
      ["large.txt", /has 11 bytes, and at most 10/],
    ] as const) {
      expect(await send(file)).toEqual({ error: true, error_message: expect.stringMatching(message) });
    }
    expect(heard).toHaveLength(before);
    expect(await send("fine.txt")).toMatchObject({ status: { state: "completed" } });
  });
});

describe("large artifacts", () => {
  it("are minimized, and seen in full by the tools", async () => {
    const tools = new A2ATools(sessionOf("0.3, streaming"));
    const task = await tools.sendMessage.execute({ agentId: "worker", message: "long" });
    if (!("artifacts" in task)) throw new Error(JSON.stringify(task));
    const [artifact] = task.artifacts;
    expect(artifact?.parts).toMatchObject([
      { kind: "text", _total_lines: 20_000, _tip: expect.stringContaining("view_text_artifact") },
    ]);
    const view = { agentId: "worker", taskId: task.id, artifactId: artifact!.artifactId };
    expect(
      await tools.viewTextArtifact.execute({ ...view, lineStart: 10_000, lineEnd: 10_001 }),
    ).toMatchObject({
      parts: [{ text: "line 10000\nline 10001" }],
    });
    expect(await tools.viewTextArtifact.execute(view)).toEqual({
      error: true,
      error_message: expect.stringMatching(/more than the limit of 50,000: select a smaller range/),
    });
    expect(await tools.viewDataArtifact.execute(view)).toEqual({
      error: true,
      error_message: expect.stringMatching(/has no data: use view_text_artifact/),
    });
  });
});

describe("what goes wrong", () => {
  it("is told with what to do, and without addresses and headers", async () => {
    await using refusing = await researchAgent10();
    const agents = new A2AAgents({
      gone: { url: "http://127.0.0.1:1/secret-path", custom_headers: { authorization: "Bearer s3cret" } },
      bot: { url: refusing.cardUrl },
    });
    const tools = new A2ATools(new A2ASession(agents));
    const view = { agentId: "bot", taskId: "task-123", artifactId: "art-1" };
    const answers = [
      await tools.getAgent.execute({ agentId: "nobody" }),
      await tools.sendMessage.execute({ agentId: "nobody", message: "hi" }),
      await tools.getAgent.execute({ agentId: "gone" }),
      await tools.sendMessage.execute({ agentId: "gone", message: "hi" }),
      await tools.getTask.execute({ agentId: "bot", taskId: "task-9" }),
      await tools.viewTextArtifact.execute(view),
      await tools.viewDataArtifact.execute({ ...view, artifactId: "art-789", rows: "5-9" }),
      await tools.viewDataArtifact.execute({ ...view, artifactId: "art-789", rows: "first" }),
      await tools.sendMessage.execute({ agentId: "bot" } as never),
    ].map((answer) => ("error_message" in answer ? answer.error_message : JSON.stringify(answer)));
    expect(answers).toEqual([
      'There is no agent "nobody"; there are bot, gone.',
      'There is no agent "nobody"; there are bot, gone.',
      expect.stringMatching(/cannot be reached/),
      expect.stringMatching(/cannot be reached/),
      expect.stringMatching(/no task task-9. Check taskId and agentId/),
      "The task task-123 has no artifact art-1; there are art-789, art-790.",
      "rows: there is no range 5-9: the list has 3 rows, from 0.",
      expect.stringMatching(/"first" is no row/),
      expect.stringMatching(/called wrongly. message: /),
    ]);
    expect(answers.join()).not.toMatch(/127\.0\.0\.1|secret|s3cret/);
    expect(await tools.getAgents.execute({})).toEqual({
      bot: { name: "Research Bot", description: "Find and summarize research papers" },
    });
    expect(agents.initializationErrors).toEqual({ gone: expect.stringContaining("NETWORK") });
  });

  it.each([0, -1, Number.NaN])(
    "refuses to wait %s seconds, which would be forever or no time",
    async (timeout) => {
      const session = sessionOf("1.0, polled");
      const before = heard.length;
      for (const waiting of [
        session.sendMessage("worker", "hi", { timeout }),
        session.getTask("worker", "t", { timeout }),
        session.getTask("worker", "t", { pollInterval: timeout }),
      ]) {
        await expect(waiting).rejects.toThrow(/must be more than 0 seconds/);
      }
      expect(heard).toHaveLength(before);
    },
  );

  it("gives a task that was begun as far as it is known, where it cannot be followed", async () => {
    const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" as const } };
    await using broken = await serveWithCard(
      () =>
        createRouter(A2A, {
          sendMessage: () => ({ task }),
          getTask: () => {
            throw new A2AError("TASK_NOT_FOUND", "forgotten");
          },
        }).handle,
      (url) => ({
        name: "Broken",
        description: "Breaks.",
        version: "1",
        supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
        capabilities: {},
        defaultInputModes: ["text/plain"],
        defaultOutputModes: ["text/plain"],
        skills: [],
      }),
    );
    const session = new A2ASession(new A2AAgents({ broken: { url: broken.cardUrl } }), {
      getTaskPollInterval: 0.02,
    });
    expect(await session.sendMessage("broken", "hi")).toMatchObject({
      id: "t",
      status: { state: "working" },
    });
    await expect(session.getTask("broken", "t")).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
    expect(await session.loadTask("broken", "t")).toMatchObject({ id: "t" });
  });

  it("takes null for what is left out", async () => {
    const tools = new A2ATools(sessionOf("1.0, polled"));
    expect(
      await tools.sendMessage.execute({
        agentId: "worker",
        message: "hi",
        contextId: null,
        taskId: null,
        files: null,
      } as never),
    ).toMatchObject({ status: { state: "completed" } });
  });

  it("keeps a task of one agent from being replaced by another agent that gives its id", async () => {
    const problems: string[] = [];
    await using good = await researchAgent10();
    await using other = await researchAgent10();
    const session = new A2ASession(
      new A2AAgents({ good: { url: good.cardUrl }, other: { url: other.cardUrl } }),
      {
        onProblem: (problem) => problems.push(problem),
      },
    );
    await session.sendMessage("good", "hi");
    const kept = await session.taskStore.load("task-123");
    await session.sendMessage("other", "hi");
    expect(await session.taskStore.load("task-123")).toBe(kept);
    expect(problems).toEqual([expect.stringMatching(/good and other both have a task task-123/)]);
    expect(await session.loadTask("good", "task-123")).toBe(kept);
    expect(await session.loadTask("other", "task-123")).not.toBe(kept);
  });
});
