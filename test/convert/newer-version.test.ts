import { beforeAll, describe, expect, it } from "vitest";
import { emitConversions } from "../../codegen/convert/emit-conversions.js";
import { hopOf } from "../../codegen/convert/hop-of.js";
import { parseDeclaration } from "../../codegen/convert/declaration.js";
import { loadHops } from "../../codegen/convert/load-hops.js";
import type { Model } from "../../codegen/ir/types.js";
import { supportedLines } from "../../codegen/load/load-line.js";
import { modelsOf } from "../../codegen/pipeline.js";
import { createBridge } from "../../src/convert/bridge.js";
import type { Bridge, Loss } from "../../src/convert/types.js";
import type { Hop, ServiceDescriptor } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";
import { hops, lines } from "../../src/versions/conversions.js";
import { enumOf, field, method, ref, scalar } from "../codegen/fixture.js";
import { loadDraft } from "../codegen/convert-support.js";

/** A version after the newest: one more field, state, operation and error, all of it said in a few lines of JSON. */
const DECLARATION = {
  older: "1.0",
  newer: "1.1",
  methods: { PauseTask: null },
  types: {
    Task: { drop: { newer: ["generation"] } },
    TaskState: {
      nearest: { newer: { TASK_STATE_PAUSED: "TASK_STATE_WORKING" } },
      fallback: { older: "TASK_STATE_UNSPECIFIED", newer: "TASK_STATE_UNSPECIFIED" },
    },
  },
};

const madeUp = (model: Model): Model => ({
  ...model,
  version: "1.1",
  release: "1.1.0",
  line: "v1.1",
  decls: model.decls.map((decl) => {
    if (decl.kind === "object" && decl.name === "Task")
      return {
        ...decl,
        fields: [...decl.fields, field("generation", scalar("int64"), { presence: "implicit" })],
      };
    if (decl.kind !== "enum" || decl.name !== "TaskState") return decl;
    const paused = enumOf("TaskState", { PAUSED: "TASK_STATE_PAUSED" });
    return { ...decl, values: [...decl.values, ...(paused.kind === "enum" ? paused.values : [])] };
  }),
  methods: [...model.methods, method("PauseTask", ref("GetTaskRequest"), ref("Task"))],
});

let models: Model[] = [];
let hop: Hop;
let bridge: Bridge;

const newest = lines["1.0"]?.service;
const oldest = lines["0.2"]?.service;

beforeAll(async () => {
  const committed = await modelsOf(supportedLines);
  const last = committed.at(-1);
  if (last === undefined || newest === undefined) throw new Error("there is no newest version");
  models = [...committed, madeUp(last)];
  hop = await loadDraft(
    hopOf(
      {
        file: "1.0-1.1.json",
        sha256: "",
        declaration: parseDeclaration(JSON.stringify(DECLARATION), "1.0-1.1.json"),
      },
      last,
      madeUp(last),
    ),
  );
  const service: ServiceDescriptor = {
    ...newest,
    version: "1.1",
    errors: { ...newest.errors, TASK_NOT_PAUSABLE: { code: -32010 } },
  };
  bridge = createBridge([...hops, hop], { near: newest, far: service });
}, 60_000);

describe("a version after the newest", () => {
  const task = { id: "t", status: { state: "TASK_STATE_PAUSED" }, generation: "3" };

  it("converts like any other, and only what differs is touched", () => {
    const losses: Loss[] = [];
    expect(bridge.conversion("Task").up(task, {}, losses)).toEqual({
      id: "t",
      status: { state: "TASK_STATE_WORKING" },
    });
    expect(losses).toEqual([
      { path: "/status/state", code: "dropped" },
      { path: "/generation", code: "dropped" },
    ]);
    const message = { role: "ROLE_USER", messageId: "m", parts: [{ text: "x" }] };
    expect(bridge.conversion("Message").up(message)).toBe(message);
    expect([...bridge.byNearName.keys()]).toEqual(Object.keys(newest?.methods ?? {}));
  });

  it("its errors keep their codes, and a code that only it knows gets its name", () => {
    const error = new A2AError("TASK_NOT_PAUSABLE", "no");
    expect(bridge.errorUp(error)).toMatchObject({ reason: "TASK_NOT_PAUSABLE", code: -32010 });
    const unnamed = new A2AError("INTERNAL_ERROR", "no", { code: -32010 });
    expect(bridge.errorDown(unnamed)).toMatchObject({ reason: "TASK_NOT_PAUSABLE", code: -32010 });
  });

  it("reaches the oldest over all hops between", () => {
    if (oldest === undefined) throw new Error("there is no 0.2");
    const far = createBridge([hop, ...hops], { near: bridge.far, far: oldest });
    const losses: Loss[] = [];
    expect(far.conversion("StreamResponse").down({ task }, {}, losses)).toEqual({
      kind: "task",
      id: "t",
      contextId: "",
      status: { state: "working" },
    });
    expect(losses.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      "/task/contextId synthesized",
      "/task/generation dropped",
      "/task/status/state dropped",
    ]);
  });

  it("is in the lists of versions and hops by itself, and needs its declaration", async () => {
    const declared = await loadHops();
    await expect(emitConversions(models, declared)).rejects.toThrow("says nothing about A2A 1.0 and 1.1");
    const loaded = {
      file: "1.0-1.1.json",
      sha256: "0".repeat(64),
      declaration: parseDeclaration(JSON.stringify(DECLARATION), "1.0-1.1.json"),
    };
    const output = await emitConversions(models, [...declared, loaded]);
    expect(output.get("lines.ts")).toMatch(
      /"1\.1": \{\s+service: \(\) => import\("\.\/v1\.1\/service\.js"\)/,
    );
    expect(output.get("lines.ts")).toContain('import("./convert/1.0-1.1.js")');
    expect(output.has("convert/1.0-1.1.ts")).toBe(true);
  });
});
