/** Which version answers: every vector of the shared collection and what it leaves out, against `serve` over sockets. */
import { afterEach, describe, expect, it } from "vitest";
import { serve, type RunningServer, type ServeOptions } from "../../../src/server.js";
import { ask, eventsOf, type Answer } from "../../rpc/support.js";
import { agentOf, quiet } from "../agents.js";
import { readFileSync } from "node:fs";

const open: RunningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Says in which tenant it was called. */
const agent = agentOf(async (ctx) => `tenant ${ctx.tenant ?? "none"}`);

async function start(options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const server = await serve(agent, { port: 0, logger: quiet, ...options });
  open.push(server);
  return server;
}

const params10 = { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] } };
const params03 = {
  message: { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] },
};
const paramsProto = { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] } };
const json = { "content-type": "application/json" };

const post = (
  server: RunningServer,
  method: string,
  headers: Record<string, string> = {},
  more: { readonly params?: unknown; readonly query?: string } = {},
): Promise<Answer> => {
  const params = more.params ?? (method.includes("/") ? params03 : params10);
  return ask(server, `/${more.query ?? ""}`, {
    method: "POST",
    headers: { ...json, ...headers },
    body: { jsonrpc: "2.0", id: 7, method, params },
  });
};

/** The generation in which a task was written: by its states, and by the members that only one has. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of every shape
function generationOf(value: any): string {
  const task = value.task ?? value;
  if (task.kind === "task") return "0.3";
  return /^TASK_STATE_/.test(task.status.state) ? (task.history?.[0]?.content ? "0.3 proto" : "1.0") : "?";
}

interface Vector {
  readonly id: string;
  readonly binding: string;
  readonly supported: readonly string[];
  readonly headers: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly method: string;
  readonly path: string;
  readonly inferVersionFromMethod?: boolean;
  readonly expect: {
    readonly version?: string;
    readonly tenant?: string;
    readonly code?: number;
    readonly http?: number;
  };
}

const wire = JSON.parse(readFileSync(new URL("../../vectors/shared/wire.json", import.meta.url), "utf8")) as {
  readonly serverVersion: readonly Vector[];
};

/** The id of a task that is there. */
async function existing(server: RunningServer, versions: readonly string[]): Promise<string> {
  const reply = versions.includes("1.0")
    ? await post(server, "SendMessage", { "a2a-version": "1.0" })
    : await post(server, "message/send");
  return reply.json.result.task?.id ?? reply.json.result.id;
}

describe("shared vectors", () => {
  it.each(wire.serverVersion)("$id", async (vector) => {
    const server = await start({
      versions: vector.supported,
      inferVersionFromMethod: vector.inferVersionFromMethod ?? false,
    });
    const id = await existing(server, vector.supported);
    const query = vector.query ? `?${new URLSearchParams(vector.query).toString()}` : "";
    const { expect: expected } = vector;
    if (vector.binding === "JSONRPC") {
      const params = vector.method === "tasks/get" ? { id } : undefined;
      const reply = await post(server, vector.method, vector.headers, { query, params });
      expect(reply).toMatchObject({ status: 200, json: { jsonrpc: "2.0", id: 7 } });
      if (expected.version) expect(generationOf(reply.json.result)).toBe(expected.version);
      else expect(reply.json.error.code).toBe(expected.code);
      return;
    }
    const [method = "", path = ""] = vector.path.replace("/t1", `/${id}`).split(" ");
    const legacy = expected.version === "0.3";
    const reply = await ask(server, path + query, {
      method,
      headers: { ...(method === "POST" && json), ...vector.headers },
      ...(method === "POST" && { body: legacy ? paramsProto : params10 }),
    });
    if (expected.version) {
      expect(generationOf(reply.json)).toBe(legacy ? "0.3 proto" : expected.version);
      if (expected.tenant) expect(reply.text).toContain(`tenant ${expected.tenant}`);
    } else {
      expect(reply.status).toBe(expected.http);
      expect(reply.json.error.details[0].reason).toBe("VERSION_NOT_SUPPORTED");
    }
  });
});

describe("a server of all versions", () => {
  it.each([
    [{}, "0.3"],
    [{ "a2a-version": "" }, "0.3"],
    [{ "A2A-VERSION": "0.3.0" }, "0.3"],
    [{ "a2a-Version": "\t0.2 " }, "0.3"],
    [{ "A2A-Version": "0.2.6" }, "0.3"],
  ])("serves message/send with %j", async (headers, generation) => {
    const reply = await post(await start(), "message/send", headers);
    expect(generationOf(reply.json.result)).toBe(generation);
    // The bare result of 0.x: the task itself.
    expect(reply.json.result).toMatchObject({ kind: "task", status: { state: "completed" } });
  });

  it.each([{ "A2A-Version": "1.0" }, { "a2a-version": "1.0.1" }])(
    "serves SendMessage with %j",
    async (headers) => {
      const reply = await post(await start(), "SendMessage", headers);
      expect(reply.json.result).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
    },
  );

  it("takes the version from the query where no header names one", async () => {
    const server = await start();
    const asked = await post(server, "SendMessage", {}, { query: "?a2a-version=1.0" });
    expect(asked.json.result.task).toBeDefined();
    const both = await post(server, "message/send", { "a2a-version": "0.3" }, { query: "?A2A-Version=1.0" });
    expect(both.json.result.kind).toBe("task");
  });

  it.each(["latest", "0.1", "0.4", "1.1", "2.0", "1"])(
    "refuses %s in the shape of its newest version, and names what it serves",
    async (version) => {
      const reply = await post(await start(), "message/send", { "a2a-version": version });
      expect(reply).toMatchObject({
        status: 200,
        json: {
          id: 7,
          error: {
            code: -32009,
            data: [{ reason: "VERSION_NOT_SUPPORTED", metadata: { supportedVersions: "1.0, 0.3, 0.2" } }],
          },
        },
      });
    },
  );

  it("refuses a method of another generation: by the method where the version is named, else by the version", async () => {
    const server = await start();
    expect((await post(server, "message/send", { "a2a-version": "1.0" })).json.error.code).toBe(-32601);
    expect((await post(server, "SendMessage", { "a2a-version": "0.3" })).json.error.code).toBe(-32601);
    expect((await post(server, "SendMessage")).json.error).toMatchObject({
      code: -32009,
      message: expect.stringContaining("A2A-Version: 1.0"),
      data: [{ reason: "VERSION_NOT_SUPPORTED" }],
    });
    expect((await post(server, "tasks/sendSubscribe")).json.error.code).toBe(-32601);
    // No version before 1.0 lists tasks (version mapping 2.11).
    expect((await post(server, "tasks/list", {}, { params: {} })).json.error.code).toBe(-32601);
  });

  it("infers the version of a call without one, where that is asked for", async () => {
    const server = await start({ inferVersionFromMethod: true });
    expect((await post(server, "SendMessage")).json.result.task).toBeDefined();
    expect((await post(server, "message/send")).json.result.kind).toBe("task");
    expect((await post(server, "SendMessage", { "a2a-version": "0.3" })).json.error.code).toBe(-32601);
    const rest = await ask(server, "/message:send", { method: "POST", headers: json, body: params10 });
    expect(rest.json.task).toBeDefined();
  });

  it("tells errors in the generation of the call", async () => {
    const server = await start();
    const params = { id: "nope" };
    expect((await post(server, "tasks/get", {}, { params })).json.error).toEqual({
      code: -32001,
      message: "Task not found: nope",
      data: { taskId: "nope" },
    });
    expect((await post(server, "GetTask", { "a2a-version": "1.0" }, { params })).json.error.data).toEqual([
      expect.objectContaining({ reason: "TASK_NOT_FOUND", metadata: { taskId: "nope" } }),
    ]);
    const wrong = { ...json, "content-type": "text/plain" };
    expect((await post(server, "message/send", wrong)).json.error).toEqual({
      code: -32005,
      message: expect.stringContaining("text/plain"),
    });
  });

  it.each([
    ["an unknown method", { method: "message/ssend", params: {} }, { error: { code: -32601 } }],
    ["params that do not fit", { method: "message/send", params: {} }, { error: { code: -32602 } }],
    ["a call", { method: "message/send", params: params03 }, { result: { kind: "task" } }],
  ])("answers %s of 0.3 without an id with id null, as its SDKs do", async (_what, call, reply) => {
    const answer = await ask(await start(), "/", {
      method: "POST",
      headers: json,
      body: { jsonrpc: "2.0", ...call },
    });
    expect(answer).toMatchObject({ status: 200, json: { jsonrpc: "2.0", id: null, ...reply } });
  });

  it("tells errors of HTTP+JSON in the generation of the call, with the statuses of 1.0.0 where they are asked for", async () => {
    const server = await start({ errorTable: "1.0.0" });
    const legacy = await ask(server, "/v1/tasks/nope");
    expect(legacy).toMatchObject({
      status: 404,
      json: { code: -32001, message: "Task not found: nope", data: { taskId: "nope" } },
    });
    expect(legacy.headers["content-type"]).toBe("application/json");
    const newest = await ask(server, "/tasks/nope", { headers: { "a2a-version": "1.0" } });
    expect(newest).toMatchObject({ status: 404, json: { error: { code: 404, status: "NOT_FOUND" } } });
    // The media type of 1.0.0, too.
    expect(newest.headers["content-type"]).toBe("application/json");
    const id = await existing(server, ["1.0"]);
    const cancel = (path: string, version: string): Promise<Answer> =>
      ask(server, path, { method: "POST", headers: { ...json, "a2a-version": version }, body: {} });
    expect(await cancel(`/v1/tasks/${id}:cancel`, "0.3")).toMatchObject({
      status: 400,
      json: { code: -32002 },
    });
    expect((await cancel(`/tasks/${id}:cancel`, "1.0")).status).toBe(409);
    expect(await ask(server, "/v1/nowhere")).toMatchObject({ status: 404, json: { code: -32601 } });
    expect((await ask(server, `/v1/tasks/${id}`, { method: "PUT" })).headers.allow).toBe("GET");
  });

  it("reads 0 as no limit of the history where 0.3 speaks ProtoJSON, and as none elsewhere", async () => {
    const server = await start();
    const id = await existing(server, ["1.0"]);
    expect((await ask(server, `/v1/tasks/${id}?historyLength=0`)).json.history).toHaveLength(1);
    expect((await ask(server, `/v1/tasks/${id}?history_length=1`)).json.history).toHaveLength(1);
    const params = { id, historyLength: 0 };
    expect((await post(server, "tasks/get", {}, { params })).json.result.history).toBeUndefined();
    const newest = await ask(server, `/tasks/${id}?historyLength=0`, { headers: { "a2a-version": "1.0" } });
    expect(newest.json.history).toBeUndefined();
  });

  it("answers a stream that cannot begin with plain JSON, in every version", async () => {
    const server = await start();
    const params = { id: "nope" };
    for (const [method, version] of [
      ["tasks/resubscribe", "0.3"],
      ["tasks/resubscribe", "0.2"],
      ["SubscribeToTask", "1.0"],
    ] as const) {
      const reply = await post(server, method, { "a2a-version": version }, { params });
      expect(reply.headers["content-type"]).toBe("application/json");
      expect(reply.json).toMatchObject({ id: 7, error: { code: -32001 } });
    }
    const empty = { message: { ...params03.message, parts: [] } };
    const refused = await post(server, "message/stream", {}, { params: empty });
    expect(refused.headers["content-type"]).toBe("application/json");
    expect(refused.json.error).toMatchObject({ code: -32602, message: expect.stringContaining("parts") });
  });

  it("streams bare events to 0.x, the last one final", async () => {
    const reply = await post(await start(), "message/stream");
    const events = eventsOf(reply.text).map(({ data }) => data.result);
    expect(events.map(({ kind }) => kind)).toEqual(["task", "artifact-update", "status-update"]);
    expect(events.at(-1)).toMatchObject({ final: true, status: { state: "completed" } });
    expect(eventsOf(reply.text).map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });
});

describe("versions", () => {
  it("may be written with a patch, in any order and twice", async () => {
    const server = await start({ versions: ["0.3.0", "1.0.1", "0.3"] });
    expect((await post(server, "message/send")).json.result.kind).toBe("task");
    expect((await post(server, "SendMessage", { "a2a-version": "1.0" })).json.result.task).toBeDefined();
    const refused = await post(server, "SendMessage", { "a2a-version": "7.0" });
    expect(refused.json.error.data[0].metadata.supportedVersions).toBe("1.0, 0.3");
  });

  it.each([["0.1"], ["1.1"], ["latest"], ["1"]])("refuses %s, and names what there is", async (version) => {
    await expect(start({ versions: ["1.0", version] })).rejects.toMatchObject({
      reason: "CONFIG",
      message: expect.stringMatching(/1\.0, 0\.3, 0\.2/),
    });
  });

  it("may leave out the newest", async () => {
    const server = await start({ versions: ["0.3"] });
    expect((await post(server, "message/send")).json.result.kind).toBe("task");
    expect((await post(server, "message/send", { "a2a-version": "0.2.5" })).json.result.kind).toBe("task");
    // In its own, newest shape: `data` is free.
    expect((await post(server, "SendMessage", { "a2a-version": "1.0" })).json.error).toMatchObject({
      code: -32009,
      data: { supportedVersions: "0.3" },
    });
    expect((await ask(server, "/nowhere")).status).toBe(404);
    expect((await ask(server, "/", { method: "PUT" })).status).toBe(405);
  });

  it("0.2 alone answers calls without a version", async () => {
    const server = await start({ versions: ["1.0", "0.2"] });
    expect((await post(server, "message/send")).json.result.kind).toBe("task");
    expect((await post(server, "message/send", { "a2a-version": "0.3" })).json.error.code).toBe(-32009);
  });

  it("1.0 alone refuses what names no version", async () => {
    const server = await start({ versions: ["1.0"] });
    expect((await post(server, "message/send")).json.error.code).toBe(-32009);
    expect((await post(server, "message/send", { "a2a-version": "0.2" })).json.error.code).toBe(-32009);
  });
});

describe("extensions", () => {
  const uris = ["https://ext.example/one", "https://ext.example/two", "https://ext.example/three"];
  const extending = agentOf(async (ctx) => [...ctx.extensions].sort().join(" "), {
    card: {
      name: "Test",
      description: "An agent under test",
      skills: [],
      capabilities: { extensions: uris.map((uri, i) => ({ uri, required: i === 0 })) },
    },
  });
  const [one = "", two = "", three = ""] = uris;

  it.each([
    ["0.3", "message/send", "x-a2a-extensions"],
    ["0.2", "message/send", "x-a2a-extensions"],
    ["1.0", "SendMessage", "a2a-extensions"],
  ])("in %s are read from both headers and answered in its own", async (version, method, own) => {
    const server = await serve(extending, { port: 0, logger: quiet });
    open.push(server);
    const headers = {
      "A2A-Version": version,
      "A2A-Extensions": `${one}, ${two}, https://ext.example/unknown`,
      "X-A2A-Extensions": `${two}, ${three}`,
    };
    const reply = await post(server, method, headers);
    expect(reply.text).toContain([one, three, two].join(" "));
    expect(reply.headers[own]).toBe([one, two, three].join(", "));
    expect(reply.headers[own === "a2a-extensions" ? "x-a2a-extensions" : "a2a-extensions"]).toBeUndefined();
    const missing = await post(server, method, { "A2A-Version": version, "X-A2A-Extensions": two });
    expect(missing.json.error.code).toBe(-32008);
  });
});

it("a tenant in the query is one for 1.0 alone: 0.x has none, over no binding", async () => {
  const server = await start();
  const send = (path: string, version: string, body: unknown): Promise<Answer> =>
    ask(server, path, { method: "POST", headers: { ...json, "a2a-version": version }, body });
  expect((await send("/message:send?tenant=x", "1.0", params10)).text).toContain("tenant x");
  for (const version of ["0.3", "0.2"]) {
    expect((await send("/v1/message:send?tenant=x", version, paramsProto)).text).toContain("tenant none");
    const { text } = await post(server, "message/send", { "a2a-version": version }, { query: "?tenant=x" });
    expect(text).toContain("tenant none");
  }
});
