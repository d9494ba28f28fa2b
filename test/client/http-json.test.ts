import { describe, expect, it } from "vitest";
import { A2A, TaskState, userMessage } from "../../generated/v1.0/index.js";
import type { ErrorDescriptor } from "../../src/descriptor.js";
import { createClient, httpJson, type Client, type ClientOptions } from "../../src/index.js";
import {
  chunk,
  drain,
  failure,
  listen,
  message,
  openStream,
  reply,
  status,
  task,
  type TestServer,
} from "./support.js";

const hello = { message: userMessage("hello") };
const client = (server: { url: string }, options?: ClientOptions, path = ""): Client<typeof A2A> =>
  createClient(A2A, httpJson({ url: server.url + path }), options);

const answering = (
  body: unknown,
  options: Parameters<typeof reply>[2] = { type: "application/a2a+json" },
): Promise<TestServer> =>
  listen((_, response) => {
    reply(response, body, options);
  });

const aTask = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };

/** Body of an error with an A2A reason. */
const errorBody = (code: number, name: string, reason?: string): object => ({
  error: {
    code,
    status: name,
    message: "refused",
    details:
      reason === undefined
        ? []
        : [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason,
              domain: "a2a-protocol.org",
              metadata: { taskId: "t1" },
            },
          ],
  },
});

describe("routes (A2A-11.3-a)", () => {
  type Use = (client: Client<typeof A2A>) => Promise<unknown>;
  const push = { taskId: "t1", id: "p1" };
  const config = { taskId: "t1", url: "https://example.com/hook", token: "x" };
  const cases: [string, Use, string, unknown][] = [
    ["sendMessage", (c) => c.sendMessage(hello), "POST /message:send", hello],
    ["getTask", (c) => c.getTask({ id: "t1", historyLength: 0 }), "GET /tasks/t1?historyLength=0", undefined],
    ["listTasks", (c) => c.listTasks(), "GET /tasks", undefined],
    [
      "listTasks, filtered",
      (c) =>
        c.listTasks({
          contextId: "c 1",
          status: TaskState.WORKING,
          pageSize: 10,
          statusTimestampAfter: "2026-01-01T00:00:00Z",
          includeArtifacts: false,
        }),
      "GET /tasks?contextId=c%201&status=TASK_STATE_WORKING&pageSize=10&statusTimestampAfter=2026-01-01T00%3A00%3A00Z&includeArtifacts=false",
      undefined,
    ],
    [
      "cancelTask",
      (c) => c.cancelTask({ id: "t1", metadata: { why: "x" } }),
      "POST /tasks/t1:cancel",
      { metadata: { why: "x" } },
    ],
    [
      "createTaskPushNotificationConfig",
      (c) => c.createTaskPushNotificationConfig(config),
      "POST /tasks/t1/pushNotificationConfigs",
      { url: config.url, token: "x" },
    ],
    [
      "getTaskPushNotificationConfig",
      (c) => c.getTaskPushNotificationConfig(push),
      "GET /tasks/t1/pushNotificationConfigs/p1",
      undefined,
    ],
    [
      "listTaskPushNotificationConfigs",
      (c) => c.listTaskPushNotificationConfigs({ taskId: "t1", pageSize: 7, pageToken: "c+/&" }),
      "GET /tasks/t1/pushNotificationConfigs?pageSize=7&pageToken=c%2B%2F%26",
      undefined,
    ],
    [
      "deleteTaskPushNotificationConfig",
      (c) => c.deleteTaskPushNotificationConfig(push),
      "DELETE /tasks/t1/pushNotificationConfigs/p1",
      undefined,
    ],
    ["getExtendedAgentCard", (c) => c.getExtendedAgentCard(), "GET /extendedAgentCard", undefined],
  ];
  it.each(cases)("%s", async (_, use, line, body) => {
    await using server = await answering({});
    await use(client(server)).catch(() => undefined);
    const [seen] = server.seen;
    expect(`${seen?.method ?? ""} ${seen?.url ?? ""}`).toBe(line);
    expect(seen?.body).toBe(body === undefined ? "" : JSON.stringify(body));
    expect(seen?.headers["content-type"]).toBe(body === undefined ? undefined : "application/a2a+json");
    expect(seen?.headers).toMatchObject({
      accept: "application/a2a+json, application/json",
      "a2a-version": "1.0",
    });
  });

  it.each([
    ["", "/tasks/t1"],
    ["/", "/tasks/t1"],
    ["/a2a/json", "/a2a/json/tasks/t1"],
    ["/a2a/json/", "/a2a/json/tasks/t1"],
    ["/base?key=1", "/base/tasks/t1?key=1"],
  ])("are joined to an interface URL with path %j (Q36)", async (path, expected) => {
    await using server = await answering(aTask);
    await client(server, {}, path).getTask({ id: "t1" });
    expect(server.seen[0]?.url).toBe(expected);
  });

  it("keep the query of the base before that of the call", async () => {
    await using server = await answering(aTask);
    await client(server, {}, "/base?key=1").getTask({ id: "t1", historyLength: 2 });
    expect(server.seen[0]?.url).toBe("/base/tasks/t1?key=1&historyLength=2");
  });

  it.each([
    ["a/b:c", "a%2Fb%3Ac"],
    ["100% é?#", "100%25%20%C3%A9%3F%23"],
    ["(!'*)", "%28%21%27%2A%29"],
    ["a-b_c.d~e", "a-b_c.d~e"],
    ["...", "..."],
  ])("carry the id %j percent-encoded (A2A-HT-b)", async (id, encoded) => {
    await using server = await answering(aTask);
    await client(server).cancelTask({ id });
    expect(server.seen[0]?.url).toBe(`/tasks/${encoded}:cancel`);
  });

  it.each([".", "..", "a\ud800"])("refuse the id %j, which no URL can carry as it is", async (id) => {
    await using server = await answering(aTask);
    const error = await failure(client(server).getTask({ id }));
    expect(error).toMatchObject({ reason: "INVALID_PARAMS", violations: [{ field: "id" }] });
    expect(server.seen).toEqual([]);
  });

  it("put a tenant in front of the path, of the call or of the client (Q18, A2A-8.3.2-d, A2A-4.4.6-d, A2A-MT-c)", async () => {
    await using server = await answering(aTask);
    await client(server).getTask({ id: "t1", tenant: "acme/eu" });
    await client(server, { tenant: "acme" })
      .sendMessage({ ...hello, tenant: "other" })
      .catch(() => undefined);
    expect(server.seen.map((seen) => seen.url)).toEqual(["/acme%2Feu/tasks/t1", "/acme/message:send"]);
    expect(server.seen[1]?.json).toEqual(hello);
  });
});

describe("replies", () => {
  it.each([["application/a2a+json"], ["application/json; charset=utf-8"], ["text/plain"]])(
    "are read as %s",
    async (type) => {
      await using server = await answering(aTask, { type });
      expect((await client(server).getTask({ id: "t1" })).id).toBe("t1");
    },
  );

  it.each([
    ["204", "", 204],
    ["an empty 200", "", 200],
    ["{}", "{}", 200],
    ["null", "null", 200],
  ])("without a result may be %s (Q13)", async (_, body, code) => {
    await using server = await answering(body, { status: code });
    expect(await client(server).deleteTaskPushNotificationConfig({ taskId: "t1", id: "p1" })).toEqual({});
  });

  it.each([
    ["an empty body", "", "DECODE", /expected an object/],
    ["a page", "<html>welcome</html>", "DECODE", /Expected JSON, got application\/a2a\+json: "<html>welcome/],
    ["another shape", { id: 5 }, "DECODE", /id/],
    ["an error under 200", errorBody(404, "NOT_FOUND", "TASK_NOT_FOUND"), "TASK_NOT_FOUND", /refused/],
  ])("with %s are refused", async (_, body, reason, text) => {
    await using server = await answering(body);
    const error = await failure(client(server).getTask({ id: "t1" }));
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(text);
  });
});

describe("errors", () => {
  it.each(Object.entries<ErrorDescriptor>(A2A.errors))(
    "%s is told by its reason, in the tables of 1.0.0 and 1.0.1 (A2A-11.6-e)",
    async (reason, { http = 400, code }) => {
      for (const code of new Set([http, 400, 409, 415, 502])) {
        await using server = await answering(errorBody(code, "FAILED_PRECONDITION", reason), {
          status: code,
        });
        const error = await failure(client(server).getTask({ id: "t1" }));
        expect(error).toMatchObject({ reason, status: code, metadata: { taskId: "t1" }, message: "refused" });
      }
      expect(code).toBeLessThan(-32000);
    },
  );

  it.each([
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [413, "PAYLOAD_TOO_LARGE"],
    [429, "RESOURCE_EXHAUSTED"],
  ])("without a reason are told by HTTP %i, as JSON and as text", async (code, reason) => {
    await using json = await answering(errorBody(code, "X"), { status: code });
    expect((await failure(client(json).getTask({ id: "t1" }))).reason).toBe(reason);
    await using text = await answering("no", { status: code, type: "text/plain" });
    expect((await failure(client(text).getTask({ id: "t1" }))).reason).toBe(reason);
  });

  it("as a page are HTTP, whatever the path means elsewhere", async () => {
    await using server = await answering("<html>not here</html>", { status: 404, type: "text/html" });
    expect(await failure(client(server).sendMessage(hello))).toMatchObject({ reason: "HTTP", status: 404 });
  });

  it("in the outdated problem+json show what they say (A2A-11.6-g)", async () => {
    await using server = await answering(
      { title: "Bad", detail: "page size" },
      { status: 400, type: "application/problem+json" },
    );
    expect((await failure(client(server).listTasks())).message).toBe("page size");
  });
});

describe("streams", () => {
  const event = (value: unknown, id = ""): string => `${id}data: ${JSON.stringify(value)}\n\n`;
  const working = event(task("TASK_STATE_WORKING"));
  const completed = event(status("TASK_STATE_COMPLETED"));

  it("carry bare events (A2A-11.7-a)", async () => {
    await using server = await listen((_, response) => {
      openStream(response)(working + event(chunk("a"), "id: 2\n") + completed);
      response.end();
    });
    const stream = client(server).sendStreamingMessage(hello);
    expect((await drain(stream)).events.length).toBe(3);
    expect(stream.lastEventId).toBe("2");
    expect(server.seen[0]).toMatchObject({ method: "POST", url: "/message:stream", json: hello });
    expect(server.seen[0]?.headers.accept).toBe("text/event-stream, application/a2a+json, application/json");
  });

  it.each([
    ["a frame", `data: ${JSON.stringify(errorBody(404, "NOT_FOUND", "TASK_NOT_FOUND"))}\n\n`],
    [
      "a frame of type error",
      `event: error\ndata: ${JSON.stringify(errorBody(404, "NOT_FOUND", "TASK_NOT_FOUND"))}\n\n`,
    ],
  ])("may fail with %s (Q24)", async (_, text) => {
    await using server = await listen((_, response) => {
      openStream(response)(working + text);
      response.end();
    });
    const { events, error } = await drain(client(server).sendStreamingMessage(hello));
    expect(events.length).toBe(1);
    expect(error).toMatchObject({ reason: "TASK_NOT_FOUND", status: 404 });
  });

  it("may be refused with an error body, or end too early, or be no stream", async () => {
    await using refused = await answering(errorBody(400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"), {
      status: 400,
    });
    expect((await drain(client(refused).sendStreamingMessage(hello))).error?.reason).toBe(
      "UNSUPPORTED_OPERATION",
    );
    await using cut = await listen((_, response) => {
      openStream(response)(working);
      response.end();
    });
    expect((await drain(client(cut).sendStreamingMessage(hello))).error?.reason).toBe("STREAM_CUT");
    await using plain = await answering(message("hi"));
    expect((await drain(client(plain).sendStreamingMessage(hello))).error?.message).toContain(
      "Expected text/event-stream",
    );
  });

  it("are closed by break", async () => {
    await using server = await listen((_, response) => {
      openStream(response)(working);
    });
    for await (const first of client(server).sendStreamingMessage(hello)) {
      expect(first.task?.id).toBe("t1");
      break;
    }
    await server.seen[0]?.closed;
  });
});

describe("SubscribeToTask (Q1)", () => {
  const subscribed = (text: string) => (method: string) =>
    listen((seen, response) => {
      if (seen.method !== method) {
        reply(response, text, { status: 405, type: "text/plain" });
        return;
      }
      openStream(response)(`data: ${JSON.stringify(task("TASK_STATE_COMPLETED"))}\n\n`);
      return void response.end();
    });

  it("is sent as POST, and as GET where the server knows no POST", async () => {
    await using post = await subscribed("no")("POST");
    expect((await drain(client(post).subscribeToTask({ id: "t1" }))).events.length).toBe(1);
    expect(post.seen.map((seen) => seen.method)).toEqual(["POST"]);
    await using get = await subscribed("no")("GET");
    expect((await drain(client(get).subscribeToTask({ id: "t1", tenant: "a" }))).events.length).toBe(1);
    expect(get.seen.map((seen) => `${seen.method} ${seen.url}`)).toEqual([
      "POST /a/tasks/t1:subscribe",
      "GET /a/tasks/t1:subscribe",
    ]);
  });

  it("is not sent again after an answer with an A2A reason, nor after a success or a failure of another kind", async () => {
    await using missing = await answering(errorBody(404, "NOT_FOUND", "TASK_NOT_FOUND"), { status: 404 });
    expect((await drain(client(missing).subscribeToTask({ id: "t1" }))).error?.reason).toBe("TASK_NOT_FOUND");
    expect(missing.seen.length).toBe(1);
    await using down = await answering("no", { status: 503, type: "text/plain" });
    expect((await drain(client(down).subscribeToTask({ id: "t1" }))).error?.reason).toBe("HTTP");
    expect(down.seen.length).toBe(1);
  });

  it("fails with the last answer where no route exists", async () => {
    await using server = await answering("no", { status: 501, type: "text/plain" });
    expect((await drain(client(server).subscribeToTask({ id: "t1" }))).error).toMatchObject({
      reason: "HTTP",
      status: 501,
    });
    expect(server.seen.map((seen) => seen.method)).toEqual(["POST", "GET"]);
  });
});
