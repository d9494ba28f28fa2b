import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { gate } from "../../codegen/emit/gate.js";
import { importRelease } from "../../codegen/import.js";
import { loadLine, schemasRoot } from "../../codegen/load/load-line.js";
import { A2AError, createClient, httpJson, jsonRpc, type Client, type Transport } from "../../src/index.js";
import { createBridge } from "../../src/convert/bridge.js";
import type { Bridge, Loss } from "../../src/convert/types.js";
import type { ServiceDescriptor } from "../../src/descriptor.js";
import { createHttpHandler, listen, type Listening } from "../../src/node.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { createRouter, type Handlers } from "../../src/server.js";
import { bridgeTarget } from "../../src/server/bridge-target.js";
import { hops, lines } from "../../src/versions/conversions.js";
import { importAndGenerate, type Bindings } from "./made-up/generate.js";
import { officialLike, type ReleaseTexts } from "./made-up/official-like.js";
import { haveOfficial, officialText } from "./official-files.js";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "a2a-made-up-"));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** The committed 1.0.1 as it would be published. */
async function committed(): Promise<ReleaseTexts> {
  const { schema, proto } = await loadLine("v1.0");
  if (proto === undefined) throw new Error("schemas/v1.0 has no proto.json");
  return officialLike(schema, proto);
}

const official = (): Promise<ReleaseTexts> =>
  Promise.resolve({ json: officialText("1.0.1", "a2a.json"), proto: officialText("1.0.1", "a2a.proto") });

it("a release that is printed from what is committed imports as what is committed", async () => {
  const { json, proto } = await committed();
  const root = join(dir, "schemas-again");
  await writeFile(join(dir, "again.json"), json);
  await writeFile(join(dir, "again.proto"), proto);
  await importRelease("1.0.1", { json: join(dir, "again.json"), proto: join(dir, "again.proto"), root });
  for (const name of ["a2a.json", "proto.json"]) {
    const [printed, kept] = await Promise.all(
      [root, schemasRoot].map((at) => readFile(join(at, "v1.0", name), "utf8")),
    );
    expect(printed).toBe(kept);
  }
});

it("a release with a method that streams from the client stops with its name, and nothing is generated", async () => {
  const { json, proto } = await committed();
  const live = "rpc SendLiveMessage(stream SendMessageRequest) returns (stream StreamResponse);";
  const withLive = proto.replace("service A2AService {", (found) => `${found}\n${live}`);
  const at = join(dir, "live");
  await mkdir(at);
  await expect(importAndGenerate(at, { json, proto: withLive })).rejects.toThrow(
    "proto service A2AService: SendLiveMessage streams from the client, which no binding here can do (mark it unsupported in overlay.json)",
  );
  expect(existsSync(join(at, "generated"))).toBe(false);
});

const sources: [name: string, texts: () => Promise<ReleaseTexts>][] = [
  ["printed from the committed schemas", committed],
  ...(haveOfficial("a made-up version made of the official files")
    ? [["made of the official files", official] as [string, typeof official]]
    : []),
];

describe.each(sources)("a made-up 1.1, %s", (name, texts) => {
  let bindings: Bindings;
  let server: Listening;
  const calls: unknown[] = [];

  beforeAll(async () => {
    bindings = await importAndGenerate(join(dir, name.replaceAll(" ", "-")), await texts());
    server = await listen(createRouter(bindings.A2A, handlers(calls)).handle);
  });
  afterAll(() => server.close());

  it("is generated with its own field, state, methods and error", () => {
    const { A2A, tables } = bindings;
    expect([A2A.version, A2A.release]).toEqual(["1.1", "1.1.0"]);
    expect(A2A.methods["pauseTask"]?.errors).toEqual(["TASK_NOT_FOUND", "TASK_NOT_PAUSABLE"]);
    expect(A2A.methods["watchTasks"]).toMatchObject({ kind: "serverStream", capability: "streaming" });
    expect(A2A.errors["TASK_NOT_PAUSABLE"]).toEqual({
      code: -32010,
      message: "Task cannot be paused",
      http: 409,
      status: "ABORTED",
    });
    expect(tables["Task"]).toMatchObject({ fields: { generation: { is: "int64" } } });
    expect(tables["TaskStatus"]).toMatchObject({
      fields: { state: { values: expect.arrayContaining(["TASK_STATE_PAUSED"]) as unknown } },
    });
  });

  it("is in bytes what it is in JSON: the new methods, the new field, the new state", () => {
    const { name, methods } = bindings.grpc;
    expect(name).toBe("lf.a2a.v1.A2AService");
    const pause = methods["pauseTask"];
    const watch = methods["watchTasks"];
    if (pause === undefined || watch === undefined) throw new Error("a new method is missing");
    expect([pause.name, pause.serverStream, watch.name, watch.serverStream]).toEqual([
      "PauseTask",
      false,
      "WatchTasks",
      true,
    ]);
    const request = { id: "t1", reason: "lunch" };
    expect(Buffer.from(encodeMessage(pause.input, request)).toString("hex")).toBe("120274311a056c756e6368");
    expect(decodeMessage(pause.input, encodeMessage(pause.input, request))).toEqual(request);
    const paused = task("9007199254740993");
    const bytes = encodeMessage(pause.output, paused);
    expect(Buffer.from(bytes).toString("hex")).toMatch(/1a02080938818080808080801[0-9a-f]/);
    expect(decodeMessage(pause.output, bytes)).toEqual(paused);
    expect(decodeMessage(watch.output, encodeMessage(watch.output, statusUpdate("PAUSED")))).toEqual(
      statusUpdate("PAUSED"),
    );
  });

  it("has types for all of it", () => {
    gate(new Map([...bindings.output, ["uses.ts", USES]]));
    expect(() => gate(new Map([...bindings.output, ["uses.ts", USES.replace('"12"', "12")]]))).toThrow(
      /uses\.ts:\d+ Type 'number' is not assignable to type 'string'/,
    );
  });

  it("says the same to 1.0, 0.3 and 0.2, and hears the same from them, by a declaration alone", () => {
    const { A2A, hop } = bindings;
    const to = (far: ServiceDescriptor): Bridge => createBridge([hop, ...hops], { near: A2A, far });
    const losses: Loss[] = [];
    const down = (far: ServiceDescriptor): unknown => to(far).conversion("Task").down(task("12"), {}, losses);
    expect(down(serviceOf("1.0"))).toEqual({
      id: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_WORKING" },
    });
    expect(losses).toEqual([
      { path: "/status/state", code: "dropped" },
      { path: "/generation", code: "dropped" },
    ]);
    const older = { kind: "task", id: "t1", contextId: "c1", status: { state: "working" } };
    for (const version of ["0.3", "0.2"]) {
      expect(down(serviceOf(version))).toEqual(older);
      expect(to(serviceOf(version)).conversion("Task").up(older)).toEqual(down(serviceOf("1.0")));
      expect(to(serviceOf(version)).byNearName.has("pauseTask")).toBe(false);
    }
    expect(to(serviceOf("0.2")).byNearName.get("subscribeToTask")?.farName).toBe("resubscribeToTask");
  });

  it("is served by a router of 1.0 behind a bridge", async () => {
    const near = createRouter(serviceOf("1.0"), { getTask: ({ id }: { id: string }) => taskOf10(id) });
    const bridge = createBridge([bindings.hop], { near: serviceOf("1.0"), far: bindings.A2A });
    await using both = await listen(createHttpHandler({ routers: [near, bridgeTarget(near, bridge)] }));
    for (const transport of [jsonRpc({ url: both.url }), httpJson({ url: both.url })]) {
      await using client = createClient(bindings.A2A, transport) as unknown as Made;
      expect(await client.getTask({ id: "t9" })).toEqual(taskOf10("t9"));
      await expect(client.pauseTask({ id: "t9" })).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION" });
    }
  });

  const transports: [name: string, of: (url: string) => Transport][] = [
    ["JSON-RPC", (url) => jsonRpc({ url })],
    ["HTTP+JSON", (url) => httpJson({ url })],
  ];
  describe.each(transports)("over %s", (_, transportOf) => {
    let client: Made;
    beforeAll(() => {
      client = createClient(bindings.A2A, transportOf(server.url)) as unknown as Made;
    });
    afterAll(() => client.close());

    it("what is old works as before, with the new field and the new state", async () => {
      const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] };
      expect(await client.sendMessage({ message })).toEqual({ task: task("9007199254740993") });
      expect(await client.getTask({ id: "t1" })).toEqual(task("12"));
    });

    it("the new method has its input, its output and its error", async () => {
      calls.length = 0;
      expect(await client.pauseTask({ id: "t1", reason: "lunch" })).toEqual(task("13"));
      expect(calls).toEqual([{ id: "t1", reason: "lunch" }]);
      const failed = await client.pauseTask({ id: "done" }).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(A2AError);
      expect(failed).toMatchObject({
        reason: "TASK_NOT_PAUSABLE",
        code: -32010,
        message: "Task cannot be paused",
        metadata: { id: "done" },
      });
      await expect(client.pauseTask({})).rejects.toMatchObject({ reason: "INVALID_PARAMS" });
    });

    it("the new stream has its input and its events", async () => {
      calls.length = 0;
      const events: unknown[] = [];
      for await (const event of client.watchTasks({ contextId: "c1" })) events.push(event);
      expect(calls).toEqual([{ contextId: "c1" }]);
      expect(events).toEqual([{ task: task("14") }, statusUpdate("PAUSED"), statusUpdate("COMPLETED")]);
    });

    it("says its version, and a caller of another one is told what is served", async () => {
      const headers = { "a2a-version": "1.0" };
      await expect(client.getTask({ id: "t1" }, { headers })).rejects.toMatchObject({
        reason: "VERSION_NOT_SUPPORTED",
        metadata: { supportedVersions: "1.1" },
      });
    });
  });
});

/** The client of a service whose type is made while the test runs; `has types for all of it` checks the typed one. */
type Made = Pick<Client<ServiceDescriptor>, "close"> &
  AsyncDisposable & {
    sendMessage(input: object): Promise<unknown>;
    getTask(input: object, options?: object): Promise<unknown>;
    pauseTask(input: object): Promise<unknown>;
    watchTasks(input: object): AsyncIterable<unknown>;
  };

const serviceOf = (version: string): ServiceDescriptor => {
  const service = lines[version]?.service;
  if (service === undefined) throw new Error(`There is no ${version}`);
  return service;
};

const taskOf10 = (id: string): object => ({ id, contextId: "c1", status: { state: "TASK_STATE_WORKING" } });
const task = (generation: string | number): object => ({
  id: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_PAUSED" },
  generation,
});
const statusUpdate = (state: string): object => ({
  statusUpdate: { taskId: "t1", contextId: "c1", status: { state: `TASK_STATE_${state}` } },
});

const handlers = (calls: unknown[]): Handlers<ServiceDescriptor> => ({
  sendMessage: () => ({ task: task("9007199254740993") }),
  // A number and a snake_case name are other spellings of the same: the client reads them by its tables.
  getTask: () => task(12),
  pauseTask: (input: { id: string }) => {
    calls.push(input);
    if (input.id !== "t1") throw new A2AError("TASK_NOT_PAUSABLE", "", { metadata: { id: input.id } });
    return task("13");
  },
  watchTasks: async function* (input: unknown) {
    calls.push(input);
    yield { task: task("14") };
    yield statusUpdate("PAUSED");
    yield statusUpdate("COMPLETED");
  } as never,
});

/** A user's program against the generated types. */
const USES = `
import { A2A, TaskState, errors, type A2AErrorReason, type Task } from "./v1.1/index.js";
import { createClient, jsonRpc } from "../src/index.js";
import { createRouter } from "../src/server/router.js";
const client = createClient(A2A, jsonRpc({ url: "http://127.0.0.1" }));
const state: "TASK_STATE_PAUSED" = TaskState.PAUSED;
const task: Task = { id: "t1", status: { state }, generation: "12" };
export const router = createRouter(A2A, {
  pauseTask: ({ id, reason }) => ({ ...task, id, metadata: { reason: reason ?? null } }),
  async *watchTasks({ contextId }) { if (contextId !== undefined) yield { task }; },
});
export async function talk(): Promise<string | undefined> {
  const paused: Task = await client.pauseTask({ id: "t1", reason: "lunch" });
  for await (const { task } of client.watchTasks()) if (task !== undefined) return task.generation;
  return paused.generation;
}
export const reason: A2AErrorReason = "TASK_NOT_PAUSABLE";
export const code: -32010 = errors.TASK_NOT_PAUSABLE.code;
`;
