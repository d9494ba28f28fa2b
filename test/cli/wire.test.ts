import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  oldCard,
  oldChunk,
  oldMessage,
  oldStatus,
  oldTask,
  startOldAgent,
  streamOf,
} from "../client/connect/legacy-agent.js";
import { run } from "./run.js";

/** A server that records what it is asked; it answers a message with 500, and below /hang not at all. */
const seen: IncomingMessage[] = [];
let interfaces: { url: string; protocolBinding: string; protocolVersion: string }[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    if (request.url?.startsWith("/hang") === true) return;
    if (request.method !== "GET") {
      response.statusCode = 500;
      response.end("out of order\nbadly");
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        name: "Wire",
        description: "Records.",
        version: "1",
        supportedInterfaces: interfaces,
        capabilities: {},
        defaultInputModes: ["text/plain"],
        defaultOutputModes: ["text/plain"],
        skills: [],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  interfaces = [
    { url: `${url}/grpc`, protocolBinding: "GRPC", protocolVersion: "1.0" },
    { url: `${url}/old`, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const paths = (): string[] => seen.map((request) => `${request.method ?? ""} ${request.url ?? ""}`);

describe("what goes over the wire", () => {
  it.each([
    // The card names JSON-RPC before HTTP+JSON, though of 0.3 first: of a binding the newest version is taken.
    [[], "POST /rpc"],
    [["--protocol", "1.0"], "POST /rest/message:send"],
    [["--protocol", "0.3"], "POST /old"],
    [["--binding", "http"], "POST /rest/message:send"],
    [["--binding", "jsonrpc"], "POST /rpc"],
  ])("takes the interface of the card that fits %s", async (options, path) => {
    seen.length = 0;
    const { code, err } = await run(["send", url, "hello", ...options]);
    expect(paths()).toEqual(["GET /.well-known/agent-card.json", path]);
    expect(code).toBe(1);
    expect(err).toMatch(/^a2a-typed: HTTP: [^\n]*out of order badly[^\n]*\n$/);
  });

  it.each([
    ["get", "1"],
    ["stream", "hello"],
  ])("--timeout ends %s", async (command, argument) => {
    const { code, err } = await run([command, `${url}/hang`, argument, "--direct", "--timeout", "0.1"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^a2a-typed: TIMEOUT: [^\n]+\n$/);
  });

  it("--direct reads no card", async () => {
    seen.length = 0;
    await run(["get", `${url}/here`, "1", "--direct"]);
    expect(paths()).toEqual(["POST /here"]);
  });

  it("--header goes with every request, and may be repeated", async () => {
    seen.length = 0;
    await run([
      "send",
      url,
      "hi",
      "--timeout",
      "0.2",
      "--header",
      "Authorization: Bearer a:b",
      "--header",
      "X-Two: 2",
    ]);
    expect(seen.map(({ headers }) => [headers.authorization, headers["x-two"]])).toEqual([
      ["Bearer a:b", "2"],
      ["Bearer a:b", "2"],
    ]);
  });

  it("says which interfaces a card has where none fits", async () => {
    const saved = interfaces;
    interfaces = interfaces.slice(0, 2);
    const { code, err } = await run(["send", url, "hi", "--protocol", "1.0"]);
    interfaces = saved;
    expect(code).toBe(1);
    expect(err).toBe(
      "a2a-typed: NO_COMPATIBLE_INTERFACE: The agent has no interface that could be used: " +
        `GRPC 1.0 at ${url}/grpc: not an address of gRPC; expected host:port; ` +
        `JSONRPC 0.3 at ${url}/old: version 0.3 is none of 1.0\n`,
    );
  });

  it("--header-origin lets headers go where the card points", async () => {
    await using elsewhere = await startOldAgent({ methods: { "message/send": () => oldMessage("hi") } });
    const saved = interfaces;
    interfaces = [{ url: `${elsewhere.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "0.3" }];
    const args = ["send", url, "hi", "--header", "authorization: Bearer x"];
    expect((await run(args)).err).toContain(`name ${elsewhere.url} in headerOrigins`);
    expect(elsewhere.seen).toEqual([]);
    expect((await run([...args, "--header-origin", elsewhere.url])).out).toBe("hi\n");
    expect(elsewhere.seen[0]?.headers.authorization).toBe("Bearer x");
    interfaces = saved;
  });

  it("nobody there is exit code 1 and one line", async () => {
    const { code, err } = await run(["card", "http://127.0.0.1:1"]);
    expect(code).toBe(1);
    expect(err).toMatch(/^a2a-typed: NETWORK: [^\n]+\n$/);
  });
});

describe("an agent of 0.3", () => {
  const methods = {
    "message/send": () =>
      oldTask("completed", { artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "x" }] }] }),
    "message/stream": streamOf([
      oldTask("working"),
      oldChunk("one "),
      oldChunk("two"),
      oldStatus("completed", true),
    ]),
    "tasks/get": () => oldTask("working"),
  };

  it("is spoken to like any other", async () => {
    // Its chunks say that they go on, and nothing was before them: it is asked for the task at the end.
    let asked = 0;
    const parts = [{ kind: "text", text: "one two" }];
    const found = () =>
      asked++ === 0 ? oldTask("completed", { artifacts: [{ artifactId: "a1", parts }] }) : oldTask("working");
    await using agent = await startOldAgent({ methods: { ...methods, "tasks/get": found } });
    expect((await run(["send", agent.url, "hi"])).out).toBe("task t1 completed\ncontext c1\nx\n");
    expect((await run(["stream", agent.url, "hi"])).out).toBe("task t1 working\none two\ncompleted\n");
    expect((await run(["get", agent.url, "t1"])).out).toContain("task t1 working");
    const { code, err } = await run(["list", agent.url]);
    expect({ code, err }).toEqual({
      code: 1,
      err: "a2a-typed: UNSUPPORTED_OPERATION: A2A 0.3, which the agent speaks, has no ListTasks\n",
    });
    expect((await run(["send", agent.url, "hi", "--protocol", "1.0"])).err).toContain(
      "NO_COMPATIBLE_INTERFACE",
    );
  });

  it("--direct with --protocol needs no card", async () => {
    await using agent = await startOldAgent({ methods });
    const { out } = await run(["get", `${agent.url}/rpc`, "t1", "--direct", "--protocol", "0.3"]);
    expect(out).toContain("task t1 working");
    expect(agent.seen.map(({ json }) => json.method)).toEqual(["tasks/get"]);
  });

  it("card shows it in the newest shape, and what is odd about it", async () => {
    await using agent = await startOldAgent({
      methods,
      card: () => oldCard("/rpc", { protocolVersion: undefined }),
    });
    const { out } = await run(["card", agent.url]);
    expect(out).toContain(`JSONRPC 0.3      ${agent.url}/rpc\n`);
    expect(out).toContain("note: /protocolVersion: names no protocol version, read as 0.3\n");
  });
});

describe("usage", () => {
  it.each([
    [["frobnicate"], /unknown command/],
    [["send", "http://127.0.0.1"], /missing required argument/],
    [["send", "http://127.0.0.1", ""], /nothing to send/],
    [["get", "http://127.0.0.1", "1", "--header", "no colon"], /Name: value/],
    [["get", "http://127.0.0.1", "1", "--timeout", "soon"], /Not a number of seconds/],
    [["get", "http://127.0.0.1", "1", "--protocol", "2.0"], /Allowed choices are 1\.0, 0\.3, 0\.2/],
    [["get", "http://127.0.0.1", "1", "--binding", "soap"], /Allowed choices are jsonrpc, http, grpc/],
    [["list", "http://127.0.0.1", "--state", "done"], /One of .*completed/],
    [["list", "http://127.0.0.1", "--page-size", "0"], /whole number from 1/],
  ])("%s is exit code 2", async (args, message) => {
    const { code, err, out } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  it("--help is no error and names every command", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of [
      "serve",
      "card",
      "send",
      "stream",
      "get",
      "list",
      "cancel",
      "subscribe",
      "validate",
    ]) {
      expect(out).toContain(`  ${name} `);
    }
  });
});
