/** What a handler does → the events a client sees and the task that is left. */
import { describe, expect, test } from "vitest";
import { A2AError } from "../../src/errors.js";
import { TaskFinished, type Ctx, type Handler } from "../../src/server.js";
import { runAgent } from "../../src/testing.js";
import type { StreamResponse } from "../../src/versions/pivot.js";
import { agentMessage, textOf } from "../../src/versions/pivot.js";
import { agentOf, gate } from "./agents.js";

/** An event in short: `WORKING:note`, `artifact+ text …`. */
function short(event: StreamResponse): string {
  if (event.task) return `task ${state(event.task.status.state)}`;
  if (event.message) return `message ${textOf(event.message)}`;
  if (event.statusUpdate) {
    const { status } = event.statusUpdate;
    return status.message ? `${state(status.state)}: ${textOf(status.message)}` : state(status.state);
  }
  const { artifact, append, lastChunk } = event.artifactUpdate;
  const marks = (append === true ? "+" : "") + (lastChunk === true ? "!" : "");
  return `artifact${marks} ${textOf(artifact)}`;
}
const state = (name: string): string => name.replace("TASK_STATE_", "");

const events = async (handle: Handler): Promise<string[]> =>
  (await runAgent(agentOf(handle), "hi")).events.map(short);

describe("what a handler returns", () => {
  const cases: [string, Handler, string[]][] = [
    ["nothing", async () => undefined, ["COMPLETED"]],
    ["text", async (_ctx, m) => `echo: ${textOf(m)}`, ["artifact! echo: hi", "COMPLETED"]],
    ["a part", async () => ({ text: "x", mediaType: "text/plain" }), ["artifact! x", "COMPLETED"]],
    ["parts", async () => [{ text: "a" }, { text: "b" }], ["artifact! ab", "COMPLETED"]],
    ["no parts", async () => [], ["COMPLETED"]],
    ["a message", async () => agentMessage("said"), ["COMPLETED: said"]],
    ["completed", async (ctx) => ctx.completed("done"), ["COMPLETED: done"]],
    ["failed", async (ctx) => ctx.failed("no luck"), ["FAILED: no luck"]],
    ["rejected", async (ctx) => ctx.rejected("will not"), ["REJECTED: will not"]],
    ["canceled", async (ctx) => ctx.canceled(), ["CANCELED"]],
    ["inputRequired", async (ctx) => ctx.inputRequired("which?"), ["INPUT_REQUIRED: which?"]],
    ["message()", async (ctx) => ctx.message("said"), ["COMPLETED: said"]],
  ];
  test.each(cases)("%s", async (_name, handle, expected) => {
    expect(await events(handle)).toEqual(["task SUBMITTED", ...expected]);
  });

  test("anything else from JavaScript fails the task", async () => {
    const handle = (async () => 42) as unknown as Handler;
    expect(await events(handle)).toEqual(["task SUBMITTED", "FAILED: The agent failed to work on this."]);
  });

  test("a plain value without a promise, from JavaScript, is a value", async () => {
    const handle = (() => "at once") as unknown as Handler;
    expect(await events(handle)).toEqual(["task SUBMITTED", "artifact! at once", "COMPLETED"]);
  });
});

describe("what a handler throws", () => {
  test("any error: FAILED, and nothing of it gets out", async () => {
    const run = await runAgent(
      agentOf(async () => {
        throw new Error("postgres://secret@db");
      }),
      "hi",
    );
    expect(run.state).toBe("TASK_STATE_FAILED");
    expect(JSON.stringify(run.events)).not.toContain("secret");
  });

  test("an A2AError: its message is public", async () => {
    const handle = async (): Promise<void> => {
      throw new A2AError("UNAVAILABLE", "The model is away; try later");
    };
    expect(await events(handle)).toEqual(["task SUBMITTED", "FAILED: The model is away; try later"]);
  });

  test("thrown before the first await is no different", async () => {
    const handle = (() => {
      throw new Error("now");
    }) as unknown as Handler;
    expect(await events(handle)).toEqual(["task SUBMITTED", "FAILED: The agent failed to work on this."]);
  });

  test("after the outcome, it changes nothing", async () => {
    const handle: Handler = async (ctx) => {
      ctx.completed("done");
      throw new Error("late");
    };
    expect(await events(handle)).toEqual(["task SUBMITTED", "COMPLETED: done"]);
  });
});

describe("effects act when called, in order", () => {
  test("status, whole artifacts, outcome", async () => {
    const handle: Handler = async (ctx) => {
      ctx.working("thinking");
      const { artifactId } = ctx.artifact("draft", { name: "report" });
      ctx.artifact("final", { artifactId });
      ctx.working();
      return ctx.completed();
    };
    const run = await runAgent(agentOf(handle), "hi");
    expect(run.events.map(short)).toEqual([
      "task SUBMITTED",
      "WORKING: thinking",
      "artifact! draft",
      "artifact! final",
      "WORKING",
      "COMPLETED",
    ]);
    expect(run.task?.artifacts?.map(textOf)).toEqual(["final"]);
    expect(run.task?.history?.map(textOf)).toEqual(["hi", "thinking"]);
  });

  test("after the outcome they throw TaskFinished in the agent and change nothing", async () => {
    const caught: unknown[] = [];
    const attempt = (effect: () => unknown): void => {
      try {
        effect();
      } catch (error) {
        caught.push(error);
      }
    };
    const run = await runAgent(
      agentOf(async (ctx) => {
        const out = ctx.open();
        void out.write("x");
        ctx.completed("first");
        attempt(() => ctx.working("late"));
        attempt(() => ctx.failed("second"));
        attempt(() => ctx.artifact("late"));
        attempt(() => ctx.open());
        attempt(() => out.write("late"));
        attempt(() => ctx.message("late"));
        return "ignored";
      }),
      "hi",
    );
    expect(caught).toHaveLength(6);
    for (const error of caught) expect(error).toBeInstanceOf(TaskFinished);
    expect(run.events.map(short)).toEqual([
      "task SUBMITTED",
      "artifact x",
      "artifact+! ",
      "COMPLETED: first",
    ]);
  });

  test("every event names task and context, every status has a time, agent messages are the agent's", async () => {
    const run = await runAgent(
      agentOf(async (ctx) => {
        ctx.working("note");
        return "x";
      }),
      "hi",
    );
    const { id, contextId } = run.task ?? {};
    for (const { statusUpdate, artifactUpdate } of run.events) {
      if (statusUpdate) {
        expect(statusUpdate).toMatchObject({ taskId: id, contextId });
        expect(statusUpdate.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
      if (artifactUpdate) expect(artifactUpdate).toMatchObject({ taskId: id, contextId });
    }
    expect(run.events[1]?.statusUpdate?.status.message).toMatchObject({
      role: "ROLE_AGENT",
      taskId: id,
      contextId,
    });
  });

  test("what the agent does with its objects later changes no event", async () => {
    const run = await runAgent(
      agentOf(async (ctx, message) => {
        const data = { list: [1] };
        const part = { data };
        ctx.artifact([part], { metadata: data });
        data.list.push(2);
        message.parts.push({ text: "mine" });
        return ctx.completed();
      }),
      "hi",
    );
    expect(run.task?.artifacts?.[0]).toMatchObject({
      parts: [{ data: { list: [1] } }],
      metadata: { list: [1] },
    });
    expect(run.task?.history?.map(textOf)).toEqual(["hi"]);
  });

  test.each<[string, (ctx: Ctx) => unknown]>([
    ["an artifact without parts", (ctx) => ctx.artifact([])],
    [
      "a part with two contents",
      (ctx) => ctx.artifact({ text: "a", url: "b" } as unknown as { text: string }),
    ],
    ["a part with none", (ctx) => ctx.artifact({ mediaType: "text/plain" } as unknown as { text: string })],
    [
      "bytes that are no text",
      (ctx) => ctx.artifact({ raw: new Uint8Array() } as unknown as { raw: string }),
    ],
    ["data without a JSON form", (ctx) => ctx.artifact({ data: 1n } as unknown as { data: number })],
    [
      "state without a JSON form",
      (ctx) => {
        ctx.state = { n: 1n } as unknown as { n: number };
        ctx.inputRequired("which?");
      },
    ],
  ])("%s throws in the agent and changes nothing", async (_name, effect) => {
    let thrown: unknown;
    const run = await runAgent(
      agentOf(async (ctx) => {
        try {
          effect(ctx);
        } catch (error) {
          thrown = error;
        }
      }),
      "hi",
    );
    expect(thrown).toBeInstanceOf(TypeError);
    expect(run.events.map(short)).toEqual(["task SUBMITTED", "COMPLETED"]);
  });
});

describe("ctx.open", () => {
  test("first chunk, appended chunks, last chunk; one artifact with the parts in order", async () => {
    const run = await runAgent(
      agentOf(async (ctx) => {
        await using out = ctx.open({ name: "answer", description: "d", metadata: { k: 1 } });
        await out.write("a");
        await out.write({ data: { n: 1 } });
        await out.write("b");
        return ctx.completed();
      }),
      "hi",
    );
    expect(run.events.map(short)).toEqual([
      "task SUBMITTED",
      "artifact a",
      "artifact+ ",
      "artifact+ b",
      "artifact+! ",
      "COMPLETED",
    ]);
    expect(run.task?.artifacts).toMatchObject([
      {
        name: "answer",
        description: "d",
        metadata: { k: 1 },
        parts: [{ text: "a" }, { data: { n: 1 } }, { text: "b" }, { text: "" }],
      },
    ]);
    expect(run.events[2]?.artifactUpdate?.artifact).not.toHaveProperty("name");
  });

  test("a batch joins text before the event is made: by size, before other parts, at the end", async () => {
    const handle: Handler = async (ctx) => {
      await using out = ctx.open({ batchMs: 60_000, batchBytes: 5 });
      for (const char of "abcdefg") void out.write(char);
      void out.write({ text: "part", mediaType: "text/x" });
      void out.write("h");
      out.flush();
      void out.write("i");
      return ctx.completed();
    };
    expect(await events(handle)).toEqual([
      "task SUBMITTED",
      "artifact abcde",
      "artifact+ fg",
      "artifact+ part",
      "artifact+ h",
      "artifact+! i",
      "COMPLETED",
    ]);
  });

  test("a batch goes out when its time is over", async () => {
    const seen = gate();
    const handle: Handler = async (ctx) => {
      const out = ctx.open({ batchMs: 1 });
      void out.write("a");
      void out.write("b");
      await seen.passed;
      return ctx.completed();
    };
    const run = await runAgent(agentOf(handle), "hi", {
      onEvent: (event) => {
        if (event.artifactUpdate) seen.open();
      },
    });
    expect(run.events.map(short)).toEqual(["task SUBMITTED", "artifact ab", "artifact+! ", "COMPLETED"]);
  });

  test("nothing written, nothing sent; several may be open at once", async () => {
    const handle: Handler = async (ctx) => {
      await using _unused = ctx.open();
      await using a = ctx.open({ artifactId: "a" });
      await using b = ctx.open({ artifactId: "b" });
      void a.write("1");
      void b.write("2");
      await a.close();
      await a.close();
      void b.write("3");
      return ctx.completed();
    };
    expect(await events(handle)).toEqual([
      "task SUBMITTED",
      "artifact 1",
      "artifact 2",
      "artifact+! ",
      "artifact+ 3",
      "artifact+! ",
      "COMPLETED",
    ]);
  });

  test("a failure in between still ends in FAILED, with what was written", async () => {
    const run = await runAgent(
      agentOf(async (ctx) => {
        await using out = ctx.open();
        await out.write("half");
        throw new Error("model");
      }),
      "hi",
    );
    expect(run.state).toBe("TASK_STATE_FAILED");
    expect(run.task?.artifacts?.map(textOf)).toEqual(["half"]);
  });
});

describe("generators give content", () => {
  test("text and parts grow one artifact, an artifact stands for itself, the value is the outcome", async () => {
    const run = await runAgent(
      agentOf(async function* (ctx) {
        yield "a";
        yield { artifactId: "own", parts: [{ text: "whole" }] };
        yield "b";
        yield { text: "c" };
        return ctx.completed("done");
      }),
      "hi",
    );
    expect(run.events.map(short)).toEqual([
      "task SUBMITTED",
      "artifact a",
      "artifact! whole",
      "artifact+ b",
      "artifact+ c",
      "artifact+! ",
      "COMPLETED: done",
    ]);
    expect(run.task?.artifacts?.map(textOf)).toEqual(["abc", "whole"]);
  });

  test("without a value: COMPLETED; a text value is a final artifact", async () => {
    expect(
      await events(async function* () {
        yield "a";
      }),
    ).toEqual(["task SUBMITTED", "artifact a", "artifact+! ", "COMPLETED"]);
    expect(
      await events(async function* () {
        yield "a";
        return "b";
      }),
    ).toEqual(["task SUBMITTED", "artifact a", "artifact+! ", "artifact! b", "COMPLETED"]);
  });

  test("a throw fails the task; its cleanup runs", async () => {
    let cleaned = false;
    const seen = await events(async function* () {
      try {
        yield "a";
        throw new Error("model");
      } finally {
        cleaned = true;
      }
    });
    expect(seen).toEqual([
      "task SUBMITTED",
      "artifact a",
      "artifact+! ",
      "FAILED: The agent failed to work on this.",
    ]);
    expect(cleaned).toBe(true);
  });

  test("a generator whose task was ended otherwise is closed at its next yield", async () => {
    let cleaned = false;
    const seen = await events(async function* (ctx) {
      try {
        yield "a";
        ctx.rejected();
        yield "b";
      } finally {
        cleaned = true;
      }
    });
    expect(seen).toEqual(["task SUBMITTED", "artifact a", "artifact+! ", "REJECTED"]);
    expect(cleaned).toBe(true);
  });
});

describe("what ctx knows", () => {
  test("of the request", async () => {
    let seen: Partial<Ctx> = {};
    await runAgent(
      agentOf(
        async (ctx, message) => {
          seen = {
            principal: ctx.principal,
            tenant: ctx.tenant,
            metadata: ctx.metadata,
            extensions: ctx.extensions,
            acceptedOutputModes: ctx.acceptedOutputModes,
            turn: ctx.turn,
            attempt: ctx.attempt,
            taskId: ctx.taskId,
            contextId: ctx.contextId,
            task: ctx.task,
          };
          expect(message).toMatchObject({ taskId: ctx.taskId, contextId: ctx.contextId });
        },
        {
          card: { name: "T", description: "d", skills: [], capabilities: { extensions: [{ uri: "urn:e" }] } },
        },
      ),
      "hi",
      {
        principal: { id: "alice" },
        tenant: "acme",
        metadata: { a: [1] },
        extensions: ["urn:e", "urn:unknown"],
        configuration: { acceptedOutputModes: ["text/plain"] },
        contextId: "ctx-1",
      },
    );
    expect(seen).toMatchObject({
      principal: { id: "alice" },
      tenant: "acme",
      metadata: { a: [1] },
      extensions: ["urn:e"],
      acceptedOutputModes: ["text/plain"],
      turn: 1,
      attempt: 1,
      contextId: "ctx-1",
      task: { contextId: "ctx-1", status: { state: "TASK_STATE_SUBMITTED" } },
    });
    expect(seen.task?.id).toBe(seen.taskId);
  });

  test("turn and state go on from turn to turn; the task is one", async () => {
    const booking = agentOf<{ city?: string }>(async (ctx, message) => {
      if (ctx.turn === 1) return ctx.inputRequired("Which city?");
      if (ctx.state.city === undefined) {
        ctx.state.city = textOf(message);
        return ctx.inputRequired("How many?");
      }
      return `${String(ctx.turn)}: ${textOf(message)} in ${ctx.state.city}`;
    });
    const first = await runAgent(booking, "a table");
    const second = await first.reply("Riga");
    const third = await second.reply("4");
    expect(third.text).toBe("3: 4 in Riga");
    expect(third.task?.id).toBe(first.task?.id);
    expect(third.task?.history?.map(textOf)).toEqual(["a table", "Which city?", "Riga", "How many?", "4"]);
    expect(second.events.map(short)).toEqual(["task WORKING", "INPUT_REQUIRED: How many?"]);
  });

  test("referenced tasks, those that the caller may see", async () => {
    const agent = agentOf(async (ctx, message) =>
      message.referenceTaskIds ? (await ctx.references()).map(textOf).join() : "first",
    );
    const first = await runAgent(agent, "hi");
    const next = await first.reply({
      messageId: "m2",
      role: "ROLE_USER",
      parts: [{ text: "and?" }],
      referenceTaskIds: [first.task?.id ?? "", "unknown"],
    });
    expect(next.text).toBe("first");
    expect(next.task?.id).not.toBe(first.task?.id);
    expect(next.task?.contextId).toBe(first.task?.contextId);
  });
});
