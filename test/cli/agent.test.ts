import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "./run.js";

function openGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** Lets a test decide when the agent goes on. */
let gate = openGate();

const agent = defineAgent({
  card: {
    name: "Test agent",
    description: "Does what it is told.",
    version: "2.0.0",
    skills: [{ id: "obey", name: "Obey", description: "Does it.", tags: [] }],
  },
  async *handle(ctx, message) {
    const said = textOf(message);
    if (said === "fail") return ctx.failed("it broke\nbadly");
    if (said === "ask") return ctx.inputRequired("Which city?");
    if (said === "slow") {
      yield "one ";
      await gate.promise;
      yield "two";
      return undefined;
    }
    return `heard: ${said}`;
  },
});

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await serve(agent, { port: 0 });
  ({ url } = server);
});
afterAll(() => server.close());

describe("card", () => {
  it("prints what a reader wants to know", async () => {
    const { code, out } = await run(["card", url]);
    expect(code).toBe(0);
    expect(out).toContain("Test agent 2.0.0\nDoes what it is told.\n");
    expect(out).toContain("JSONRPC 1.0");
    expect(out).toContain("skill obey: Does it.");
  });

  it("--json prints the card", async () => {
    expect(JSON.parse((await run(["card", url, "--json"])).out)).toMatchObject({ name: "Test agent" });
  });
});

describe("send", () => {
  it.each([[[]], [["--binding", "jsonrpc"]], [["--binding", "http"]]])(
    "prints the task (%s)",
    async (binding) => {
      const { code, out, err } = await run(["send", url, "hello", ...binding]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toMatch(/^task \S+ completed\ncontext \S+\nheard: hello\n$/);
    },
  );

  it("reads the text from standard input", async () => {
    expect((await run(["send", url, "-"], { stdin: "two\nlines\n" })).out).toContain("heard: two\nlines\n");
  });

  it("--json prints the reply as it is on the wire", async () => {
    const { out } = await run(["send", url, "hello", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  it("says how to answer an agent that asks, and answers it", async () => {
    const asked = await run(["send", url, "ask"]);
    expect(asked.code).toBe(0);
    const id = /^task (\S+) input-required: Which city\?$/m.exec(asked.out)?.[1] ?? "";
    expect(asked.out).toContain(`answer with: --task ${id}\n`);
    expect((await run(["send", url, "Rome", "--task", id])).out).toContain(`task ${id} completed`);
  });

  it("a task that failed is exit code 1 and one line", async () => {
    const { code, err } = await run(["send", url, "fail"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^a2a-typed: task \S+ failed: it broke; badly\n$/);
  });

  it("--immediately does not wait", async () => {
    gate = openGate();
    const { out } = await run(["send", url, "slow", "--immediately"]);
    expect(out).toMatch(/^task \S+ (submitted|working)/);
    gate.resolve();
  });
});

describe("stream", () => {
  it("prints text when it comes", async () => {
    gate = openGate();
    let before = "";
    let printed = "";
    const { code, out } = await run(["stream", url, "slow"], {
      onOut: (text) => {
        printed += text;
        if (!before && printed.includes("one ")) {
          before = printed;
          gate.resolve();
        }
      },
    });
    expect(before).toMatch(/one $/);
    expect(code).toBe(0);
    expect(out).toMatch(/^task \S+ submitted\n/);
    expect(out).toMatch(/one two\ncompleted\n$/);
  });

  it("--json prints one event per line", async () => {
    const { out } = await run(["stream", url, "hello", "--json", "--binding", "http"]);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => Object.keys(JSON.parse(line))[0]);
    expect(events[0]).toBe("task");
    expect(events.at(-1)).toBe("statusUpdate");
  });

  it("Ctrl-C ends it with 130 and the task goes on", async () => {
    gate = openGate();
    const interrupt = new AbortController();
    const { code, out, err } = await run(["stream", url, "slow"], {
      signal: interrupt.signal,
      onOut: (text) => {
        if (text.includes("one")) interrupt.abort();
      },
    });
    expect({ code, err }).toEqual({ code: 130, err: "" });
    const id = /^task (\S+)/.exec(out)?.[1] ?? "";
    expect((await run(["get", url, id])).out).toMatch(/^task \S+ (submitted|working)/);
    gate.resolve();
  });
});

describe("get, list, cancel, subscribe", () => {
  const start = async (): Promise<string> => {
    gate = openGate();
    const { out } = await run(["send", url, "slow", "--immediately", "--json"]);
    return JSON.parse(out).task.id;
  };

  it("get prints a task with as much history as asked for", async () => {
    const id = await start();
    gate.resolve();
    expect((await run(["get", url, id])).out).toContain(`task ${id} `);
    const task = JSON.parse((await run(["get", url, id, "--history", "1", "--json"])).out);
    expect(task.history).toHaveLength(1);
  });

  it("cancel ends a task; subscribe shows it", async () => {
    const id = await start();
    const events: string[] = [];
    const subscribed = run(["subscribe", url, id], {
      onOut: (text) => {
        if (events.push(text) === 1)
          void run(["cancel", url, id]).then(({ code }) => events.push(`code ${code}`));
      },
    });
    const { code, out } = await subscribed;
    expect(code).toBe(0);
    expect(out).toMatch(/canceled\n$/);
    expect((await run(["cancel", url, id])).err).toMatch(/^a2a-typed: TASK_NOT_CANCELABLE: [^\n]+\n$/);
    gate.resolve();
  });

  it("list pages through tasks", async () => {
    await run(["send", url, "a"]);
    await run(["send", url, "b"]);
    const first = await run(["list", url, "--page-size", "1", "--state", "completed"]);
    expect(first.out).toMatch(/^\S+ {2}completed +\S+\n1 of \d+\nnext page: --page-token \S+\n$/);
    const token = /--page-token (\S+)/.exec(first.out)?.[1] ?? "";
    const second = JSON.parse(
      (await run(["list", url, "--page-size", "1", "--state", "completed", "--page-token", token, "--json"]))
        .out,
    );
    expect(second.tasks).toHaveLength(1);
    expect(first.out).not.toContain(second.tasks[0].id);
  });

  it("an unknown task is exit code 1 and one line", async () => {
    const { code, out, err } = await run(["get", url, "nope"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^a2a-typed: TASK_NOT_FOUND: [^\n]+\n$/);
  });
});
