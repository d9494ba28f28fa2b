import { spawn } from "node:child_process";
import { once } from "node:events";
import { defineAgent, serve, type RunningServer } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frame, listen, openStream } from "../client/support.js";
import { run } from "./run.js";

/** Ends when a test says so. */
let letGo = (): void => {};

const agent = defineAgent({
  card: {
    name: "Chat agent",
    description: "Talks.",
    skills: [{ id: "talk", name: "Talk", description: "Talks.", tags: [] }],
  },
  async *handle(ctx, message) {
    const said = textOf(message);
    if (said === "ask") return ctx.inputRequired("Which city?");
    if (said === "fail") return ctx.failed("it broke");
    if (said === "slow") {
      yield "one ";
      await new Promise<void>((resolve) => {
        letGo = resolve;
        ctx.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      return undefined;
    }
    return `heard ${said} in ${ctx.contextId}`;
  },
});

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await serve(agent, { port: 0 });
  ({ url } = server);
});
afterAll(() => server.close());

describe("chat", () => {
  it.each([[[]], [["--direct"]]])("each line is a message of one conversation %s", async (more) => {
    const { code, out, err } = await run(["chat", url, ...more], { stdin: "hello\n\nagain\n" });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const contexts = [...out.matchAll(/^heard (\w+) in (\S+)$/gm)];
    expect(contexts.map((match) => match[1])).toEqual(["hello", "again"]);
    expect(contexts[0]?.[2]).toBe(contexts[1]?.[2]);
    expect(out.match(/^task \S+ submitted$/gm)).toHaveLength(2);
    expect(out.match(/^completed$/gm)).toHaveLength(2);
  });

  it("the next line answers what the agent asks, in the same task; a person sees a prompt", async () => {
    const { code, out, err } = await run(["chat", url], { stdin: "ask\nRome\nbye\n", tty: true });
    expect(code).toBe(0);
    expect(out).toContain("input-required: Which city?\n");
    expect(out).toContain("heard Rome in ");
    expect(out.match(/^task \S+ submitted$/gm)).toHaveLength(2);
    expect(err.replaceAll("\r\u001b[K", "")).toBe("> answer> > > \n");
  });

  it("a task that failed does not end it; the last one counts", async () => {
    const good = await run(["chat", url], { stdin: "fail\nhello\n" });
    expect(good).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^a2a-typed: task \S+ failed: it broke\n$/),
    });
    expect(good.out).toContain("heard hello");
    expect((await run(["chat", url], { stdin: "hello\nfail\n" })).code).toBe(1);
  });

  it("--json prints one event per line", async () => {
    const { out } = await run(["chat", url, "--json"], { stdin: "hello\n" });
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => Object.keys(JSON.parse(line))[0]);
    expect(events[0]).toBe("task");
    expect(events.at(-1)).toBe("statusUpdate");
  });

  it("Ctrl-C cancels the task, and the conversation goes on", async () => {
    let interrupt = (): boolean => false;
    const taken: boolean[] = [];
    const { code, out } = await run(["chat", url], {
      stdin: "slow\nhello\n",
      onInterruptible: (listener) => (interrupt = listener),
      onOut: (text) => {
        if (text.includes("one")) taken.push(interrupt(), interrupt());
      },
    });
    // The second one is for whoever ends the program.
    expect(taken).toEqual([true, false]);
    expect(out).toMatch(/one \ncanceled\n[^]*heard hello/);
    expect(code).toBe(0);
  });

  it.each([
    ["before the agent has answered at all", false],
    ["before its first event", true],
  ])("Ctrl-C %s gives the message up, and the conversation goes on", async (_, streams) => {
    let interrupt = (): boolean => false;
    await using slow = await listen(async (seen, response) => {
      const { id, params } = seen.json as { id: unknown; params?: { message?: { parts?: unknown } } };
      if (JSON.stringify(params).includes("hello")) {
        const said = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "here I am" }] };
        openStream(response)(frame(id, { message: said }));
        response.end();
        return;
      }
      if (streams) openStream(response);
      expect(interrupt()).toBe(true);
      // A second one ends the program, as nothing runs that could be canceled.
      expect(interrupt()).toBe(false);
      await seen.closed;
    });
    const { code, out, err } = await run(["chat", slow.url, "--direct"], {
      stdin: "wait\nhello\n",
      onInterruptible: (listener) => (interrupt = listener),
    });
    expect(err).toBe("a2a-typed: given up before the agent had answered; it may have taken the message\n");
    expect(out).toBe("here I am\n");
    expect(code).toBe(0);
    // Nothing is canceled, for nobody knows the name of what could be.
    expect(slow.seen.map(({ json }) => json.method)).toEqual([
      "SendStreamingMessage",
      "SendStreamingMessage",
    ]);
  });

  it("a progress line shows while nothing comes, and goes away", async () => {
    const { err } = await run(["chat", url], {
      stdin: "hello\n",
      tty: true,
    });
    expect(err).not.toContain("waiting");
    const slow = await run(["send", url, "slow"], {
      tty: true,
      onErr: (text) => {
        if (text.includes("waiting for ")) letGo();
      },
    });
    const clear = "\r\u001b[K";
    expect(slow.err.startsWith(`${clear}waiting for `)).toBe(true);
    expect(slow.err.endsWith(clear)).toBe(true);
    expect(slow.out).toMatch(/completed/);
  });
});

const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;

describe("the process of chat", { timeout: 60_000 }, () => {
  it("reads a pipe that stays open; Ctrl-C cancels, another one ends it with 130", async () => {
    const child = spawn(process.execPath, ["--import", "tsx", main, "chat", url]);
    try {
      const closed = once(child, "close");
      let out = "";
      let err = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      const printed = async (text: string): Promise<void> => {
        while (!out.includes(text)) await once(child.stdout, "data");
      };
      child.stdin.write("hello\n");
      await printed("\ncompleted\n");
      child.stdin.write("slow\n");
      await printed("one ");
      child.kill("SIGINT");
      await printed("\ncanceled\n");
      child.kill("SIGINT");
      expect(await closed).toEqual([130, null]);
      expect(err).toBe("");
    } finally {
      child.kill();
    }
  });
});
