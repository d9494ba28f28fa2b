import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { majorMinor } from "../../src/binding/version.js";
import type { ServiceDescriptor } from "../../src/descriptor.js";
import { createHttpHandler, type HttpHandlerOptions } from "../../src/http/handler.js";
import { createRouter } from "../../src/server/router.js";
import { ask, send, serve, serveHandle, task, v1 } from "./support.js";

const wire = JSON.parse(readFileSync(new URL("../vectors/shared/wire.json", import.meta.url), "utf8"));

/** A second generation with the grammar of 0.3: slash methods, routes below /v1, free-form error data. */
const legacy: ServiceDescriptor = {
  ...A2A,
  version: "0.3",
  release: "0.3.0",
  errorData: "any",
  tenantPrefix: undefined as never,
  methods: {
    sendMessage: {
      ...A2A.methods.sendMessage,
      jsonrpc: "message/send",
      rest: [{ verb: "POST", path: "/v1/message:send", body: "*" }],
    },
    getTask: {
      ...A2A.methods.getTask,
      jsonrpc: "tasks/get",
      rest: [{ verb: "GET", path: "/v1/tasks/{id}" }],
    },
  },
};

const routerOf = (service: ServiceDescriptor) =>
  createRouter(service, {
    sendMessage: (_input: unknown, ctx: { context: { tenant?: string } }) => ({
      version: service.version,
      ...(ctx.context.tenant !== undefined && { tenant: ctx.context.tenant }),
    }),
    getTask: () => ({ version: service.version }),
  });

const services: Record<string, ServiceDescriptor> = { "0.3": legacy, "1.0": A2A };
const serveVersions = (versions: readonly string[], options: Partial<HttpHandlerOptions> = {}) =>
  serveHandle(
    createHttpHandler({ routers: versions.map((version) => routerOf(services[version] ?? A2A)), ...options }),
  );

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

describe("shared vectors", () => {
  it.each(wire.serverVersion as readonly Vector[])("$id", async (vector) => {
    await using server = await serveVersions(vector.supported, {
      inferVersionFromMethod: vector.inferVersionFromMethod ?? false,
    });
    const query = vector.query ? `?${new URLSearchParams(vector.query).toString()}` : "";
    const json = { "content-type": "application/json" };
    const { expect: expected } = vector;
    if (vector.binding === "JSONRPC") {
      const reply = await ask(server, `/${query}`, {
        method: "POST",
        headers: { ...json, ...vector.headers },
        body: { jsonrpc: "2.0", id: 7, method: vector.method, params: { ...send(), id: "t1" } },
      });
      expect(reply.json.id).toBe(7);
      if (expected.version) expect(reply.json.result.version).toBe(expected.version);
      else expect(reply.json.error.code).toBe(expected.code);
    } else {
      const [method = "", path = ""] = vector.path.split(" ");
      const reply = await ask(server, path + query, {
        method,
        headers: { ...(method === "POST" && json), ...vector.headers },
        body: method === "POST" ? send() : undefined,
      });
      if (expected.version) {
        expect(reply.json).toMatchObject({ version: expected.version });
        expect(reply.json.tenant).toBe(expected.tenant);
      } else {
        expect(reply.status).toBe(expected.http);
        expect(reply.json.error.details[0].reason).toBe("VERSION_NOT_SUPPORTED");
      }
    }
  });
});

describe("a 1.0 server", () => {
  const body = { jsonrpc: "2.0", id: "abc", method: "GetTask", params: { id: "a" } };

  it("refuses a call without version, says which header to send, and echoes the id", async () => {
    await using server = await serve({ getTask: ({ id }) => task(id) });
    for (const headers of [{}, { "a2a-version": "" }, { "a2a-version": "  " }]) {
      const reply = await ask(server, "/", { method: "POST", headers, body });
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        id: "abc",
        error: {
          code: -32009,
          message: expect.stringContaining("send the header A2A-Version: 1.0"),
          data: [{ reason: "VERSION_NOT_SUPPORTED", metadata: { supportedVersions: "1.0" } }],
        },
      });
      const rest = await ask(server, "/tasks/a", { headers });
      expect(rest).toMatchObject({
        status: 400,
        json: { error: { code: 400, status: "FAILED_PRECONDITION" } },
      });
      expect(rest.json.error.message).toContain("A2A-Version: 1.0");
    }
  });

  it("a version error does not depend on a readable body", async () => {
    await using server = await serve({});
    const reply = await ask(server, "/", { method: "POST", headers: { "a2a-version": "99.0" }, body: "{" });
    expect(reply.json).toMatchObject({ id: null, error: { code: -32009 } });
    const big = `{"id":1,"pad":"${"x".repeat(100_000)}"}`;
    const large = await ask(server, "/", { method: "POST", headers: { "a2a-version": "99.0" }, body: big });
    expect(large.json).toMatchObject({ id: null, error: { code: -32009 } });
  });

  it("serves a version-less call where that is asked for, but not a wrong version", async () => {
    await using server = await serve({ getTask: ({ id }) => task(id) }, { inferVersionFromMethod: true });
    expect((await ask(server, "/", { method: "POST", body })).json.result).toEqual(task("a"));
    expect((await ask(server, "/tasks/a")).json).toEqual(task("a"));
    const old = await ask(server, "/", { method: "POST", body: { ...body, method: "message/send" } });
    expect(old.json).toMatchObject({ id: "abc", error: { code: -32009 } });
    const explicit = await ask(server, "/", { method: "POST", headers: { "a2a-version": "0.3" }, body });
    expect(explicit.json.error.code).toBe(-32009);
  });

  it.each([
    ["A2A-VERSION", "1.0"],
    ["a2a-Version", "1.0.7"],
    ["A2A-Version", "\t1.0 "],
    ["A2A-Version", "1.0.0-rc.1"],
    ["A2A-Version", "01.0"],
  ])("%s: %j is 1.0", async (name, value) => {
    await using server = await serve({ getTask: ({ id }) => task(id) });
    expect((await ask(server, "/tasks/a", { headers: { [name]: value } })).json).toEqual(task("a"));
  });

  it.each(["1", "v1.0", "1.0, 1.0", "1.x", "1.0.", "-1.0", "1.00000000000000000000", "1.0 0.3"])(
    "%j is no version",
    async (value) => {
      await using server = await serve({ getTask: ({ id }) => task(id) });
      const reply = await ask(server, "/tasks/a", { headers: { "a2a-version": value } });
      expect(reply.json.error.details[0].reason).toBe("VERSION_NOT_SUPPORTED");
    },
  );

  it.each([
    ["A2A-Version=1.0", {}],
    ["a2a-version=1.0.3", {}],
    ["x=1&A2A-VERSION=1.0", { "a2a-version": "" }],
    ["A2A-Version=0.3", { "a2a-version": "1.0" }],
  ])("takes the query ?%s", async (query, headers) => {
    await using server = await serve({ getTask: ({ id }) => task(id) });
    expect((await ask(server, `/tasks/a?${query}`, { headers })).json).toEqual(task("a"));
    const reply = await ask(server, `/?${query}`, { method: "POST", headers, body });
    expect(reply.json.result).toEqual(task("a"));
  });

  it("media type comes before the version, a route before both", async () => {
    await using server = await serve({});
    const headers = { "a2a-version": "9.9", "content-type": "text/plain" };
    expect((await ask(server, "/", { method: "POST", headers, body: "x" })).json.error.code).toBe(-32005);
    const rest = await ask(server, "/message:send", { method: "POST", headers, body: "x" });
    expect(rest.json.error.details[0].reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
    expect((await ask(server, "/nope", { method: "POST", headers, body: "x" })).status).toBe(404);
    expect((await ask(server, "/message:send", { headers: { "a2a-version": "9.9" } })).status).toBe(405);
  });
});

describe("a legacy server", () => {
  it("takes a call without version and answers errors in its own shape", async () => {
    await using server = await serveVersions(["0.3"]);
    const body = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "a" } };
    expect((await ask(server, "/", { method: "POST", body })).json.result).toEqual({ version: "0.3" });
    const unknown = await ask(server, "/", { method: "POST", body: { ...body, method: "GetTask" } });
    expect(unknown.json.error).toMatchObject({ code: -32601 });
    expect((await ask(server, "/", { method: "POST", headers: v1, body })).json.error.code).toBe(-32009);
  });
});

it("Major.Minor of a text", () => {
  expect(["1.0", "1.0.1", " 0.2.5", "10.20", "x", "", "1"].map(majorMinor)).toEqual([
    "1.0",
    "1.0",
    "0.2",
    "10.20",
    undefined,
    undefined,
    undefined,
  ]);
});

it("two routers of one version, or none, are a mistake", () => {
  const router = createRouter(A2A, {});
  expect(() => createHttpHandler({ routers: [router, router] })).toThrow("Two routers serve version 1.0");
  expect(() => createHttpHandler({ routers: [] })).toThrow("at least one router");
});
