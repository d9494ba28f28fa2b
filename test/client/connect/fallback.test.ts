import { describe, expect, it } from "vitest";
import { connect, type Agent, type ConnectOptions } from "a2a-typed/client";
import { userMessage } from "a2a-typed/v1";
import {
  drain,
  failure,
  frame,
  listen,
  message,
  openStream,
  reply,
  task,
  type TestServer,
} from "../support.js";
import { OldError, oldMessage, oldStatus, oldTask, startOldAgent, streamOf } from "./legacy-agent.js";

const body = { name: "A", capabilities: { streaming: true }, skills: [] };
const hello = { message: userMessage("hello") };
const at = (url: string, protocolVersion = "1.0", protocolBinding = "JSONRPC"): object => ({
  url,
  protocolBinding,
  protocolVersion,
});
const meet = (interfaces: object[], options: ConnectOptions = {}): Promise<Agent> =>
  connect({ ...body, supportedInterfaces: interfaces }, { fallback: true, ...options });

/** An agent of 1.0 that answers every call alike. */
const answering = (answer: object): Promise<TestServer> =>
  listen((seen, response) => {
    reply(response, { jsonrpc: "2.0", id: seen.json.id, ...answer });
  });
const refusing = (code: number): Promise<TestServer> => answering({ error: { code, message: "no" } });
const methods = (server: TestServer): (string | undefined)[] => server.seen.map(({ json }) => json.method);
async function gone(): Promise<string> {
  const server = await listen(() => undefined);
  await server[Symbol.asyncDispose]();
  return server.url;
}

describe("fallback, where the caller asked for it", () => {
  it("goes from SendMessage to message/send where the agent knows only that", async () => {
    await using old = await startOldAgent({ methods: { "message/send": () => oldMessage("hi") } });
    await using agent = await meet([at(`${old.url}/rpc`), at(`${old.url}/rpc`, "0.3")]);
    expect(agent.protocolVersion).toBe("1.0");
    expect((await agent.send("x")).text()).toBe("hi");
    expect((await agent.send("y")).text()).toBe("hi");
    expect(methods(old)).toEqual(["SendMessage", "message/send", "message/send"]);
    expect(old.seen.map(({ headers }) => headers["a2a-version"])).toEqual(["1.0", "0.3", "0.3"]);
    expect(agent).toMatchObject({ protocolVersion: "0.3", interface: { protocolVersion: "0.3" } });
  });

  it("works for a card that claims 1.0 in the layout of 0.3", async () => {
    await using old = await startOldAgent({ methods: { "message/send": () => oldMessage("hi") } });
    const card = { ...body, url: `${old.url}/rpc`, protocolVersion: "1.0" };
    await using agent = await connect(card, { fallback: true });
    expect((await agent.send("x")).text()).toBe("hi");
    await using believing = await connect(card);
    expect((await failure(believing.send("x"))).reason).toBe("METHOD_NOT_FOUND");
  });

  it.each([
    ["the version is not supported", () => refusing(-32009)],
    ["the method is not known", () => refusing(-32601)],
    [
      "there is nothing at the URL",
      () =>
        listen((_, response) => {
          reply(response, "none", { status: 404, type: "text/html" });
        }),
    ],
  ])("takes the next interface where %s", async (_, start) => {
    await using first = await start();
    await using second = await answering({ result: message("hi") });
    await using agent = await meet([at(first.url), at(second.url)]);
    expect((await agent.send("x")).text()).toBe("hi");
    expect(agent.interface.url).toBe(second.url);
    await agent.send("y");
    expect(first.seen).toHaveLength(1);
  });

  it("takes the next interface where nobody listens (A2A-5.2-c)", async () => {
    await using second = await answering({ result: message("hi") });
    await using agent = await meet([at(await gone()), at(second.url)]);
    expect((await agent.send("x")).text()).toBe("hi");
  });

  it.each([
    ["the task is not there", -32001, "TASK_NOT_FOUND"],
    ["the agent failed", -32603, "INTERNAL_ERROR"],
    ["the params are wrong", -32602, "INVALID_PARAMS"],
  ])("stays where %s: that is an answer", async (_, code, reason) => {
    await using first = await refusing(code);
    await using second = await answering({ result: message("hi") });
    await using agent = await meet([at(first.url), at(second.url)]);
    for (let n = 0; n < 2; n++) expect((await failure(agent.getTask({ id: "t1" }))).reason).toBe(reason);
    expect(second.seen).toEqual([]);
  });

  it("stays with the first answer, also where that interface fails later", async () => {
    let answers = 0;
    await using first = await listen((seen, response) => {
      const error = { code: -32601, message: "no" };
      reply(response, {
        jsonrpc: "2.0",
        id: seen.json.id,
        ...(answers++ > 0 ? { error } : { result: message("1") }),
      });
    });
    await using second = await answering({ result: message("2") });
    await using agent = await meet([at(first.url), at(second.url)]);
    expect((await agent.send("x")).text()).toBe("1");
    expect((await failure(agent.send("x"))).reason).toBe("METHOD_NOT_FOUND");
    expect(second.seen).toEqual([]);
  });

  it("a request that may have been processed is not sent again", async () => {
    await using first = await listen((_, response) => {
      response.socket?.destroy();
    });
    await using second = await answering({ result: message("2") });
    await using agent = await meet([at(first.url), at(second.url)]);
    expect((await failure(agent.send("x"))).reason).toBe("NETWORK");
    expect(second.seen).toEqual([]);
    expect(first.seen).toHaveLength(1);
  });

  it("where no interface leads further, the first failure is thrown, and nothing has changed", async () => {
    await using first = await refusing(-32601);
    const nobody = await gone();
    await using agent = await meet([at(first.url), at(nobody), at(first.url, "0.3")]);
    const error = await failure(agent.listTasks());
    expect(error).toMatchObject({ reason: "METHOD_NOT_FOUND", code: -32601 });
    expect(agent.interface.url).toBe(first.url);
    expect(agent.protocolVersion).toBe("1.0");
  });

  it("does not leave the versions of the caller", async () => {
    await using old = await startOldAgent({ methods: { "message/send": () => oldMessage("hi") } });
    await using agent = await meet([at(`${old.url}/rpc`), at(`${old.url}/rpc`, "0.3")], {
      versions: ["1.0"],
    });
    expect((await failure(agent.send("x"))).reason).toBe("METHOD_NOT_FOUND");
    expect(methods(old)).toEqual(["SendMessage"]);
  });

  it("holds for streams, whose refusal may come as an event", async () => {
    await using first = await listen((seen, response) => {
      const error = { code: -32601, message: "no" };
      openStream(response)(`data: ${JSON.stringify({ jsonrpc: "2.0", id: seen.json.id, error })}\n\n`);
      response.end();
    });
    await using old = await startOldAgent({
      methods: {
        "message/stream": streamOf([oldTask("working"), oldStatus("completed", true)], { ids: true }),
      },
    });
    await using agent = await meet([at(first.url), at(`${old.url}/rpc`, "0.3")]);
    const stream = agent.sendStreamingMessage(hello);
    const { events, error } = await drain(stream);
    expect(error).toBeUndefined();
    expect(events).toHaveLength(2);
    expect(stream.lastEventId).toBe("2");
    expect(agent.protocolVersion).toBe("0.3");
  });

  it("a stream that was left early closes its connection", async () => {
    await using server = await listen((seen, response) => {
      openStream(response)(frame(seen.json.id, task("TASK_STATE_WORKING")));
    });
    await using agent = await meet([at(server.url), at(server.url, "0.3")]);
    for await (const event of agent.sendStreamingMessage(hello)) {
      expect(event.task?.id).toBe("t1");
      break;
    }
    await server.seen[0]?.closed;
  });

  it("closing the agent closes every way that was opened", async () => {
    await using first = await refusing(-32601);
    await using second = await listen((seen, response) => {
      openStream(response)(frame(seen.json.id, task("TASK_STATE_WORKING")));
    });
    const agent = await meet([at(first.url), at(second.url)]);
    const stream = agent.sendStreamingMessage(hello);
    expect((await stream.next()).value?.task?.id).toBe("t1");
    const rest = failure(stream.next());
    await agent.close();
    expect((await rest).reason).toBe("ABORTED");
    await second.seen[0]?.closed;
  });

  it("calls at the same time come to the same end", async () => {
    await using first = await refusing(-32601);
    await using second = await startOldAgent({
      methods: { "message/send": () => oldMessage("hi"), "tasks/get": () => new OldError(-32001, "none") },
    });
    await using agent = await meet([at(first.url), at(`${second.url}/rpc`, "0.3")]);
    const [said, got] = await Promise.all([agent.send("x"), failure(agent.getTask({ id: "t9" }))]);
    expect(said.text()).toBe("hi");
    expect(got.reason).toBe("TASK_NOT_FOUND");
    await agent.send("y");
    expect(first.seen).toHaveLength(2);
  });
});
