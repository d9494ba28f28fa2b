/** The client: connect, credentials, TLS, failures, and what it leaves alone. */
import * as grpcJs from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A, userMessage } from "../../generated/v1.0/index.js";
import { bearer as bearerCheck, mtls } from "../../src/auth.js";
import { connect } from "../../src/client.js";
import { apiKey, authenticated, bearer } from "../../src/client-auth.js";
import { A2AError } from "../../src/errors.js";
import { grpc, grpcServices, listenGrpc, type GrpcOptions } from "../../src/grpc.js";
import { createClient } from "../../src/index.js";
import { networkGuard } from "../../src/node.js";
import { createRouter, createServer, serve, type RunningServer } from "../../src/server.js";
import { failure } from "../client/support.js";
import { start } from "../bindings/peer.js";
import { authority, hasOpenssl } from "../certificates.js";
import { task } from "../rpc/support.js";
import { agentOf, gate, quiet } from "../server/agents.js";

const hello = { message: userMessage("hello") };
const open = (address: string, more: Partial<GrpcOptions> = {}) =>
  createClient(A2A, grpc({ address, ...more }));

describe("connect", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await start({ grpc: { port: 0 } });
  });
  afterAll(() => server.close());

  it("passes gRPC over without the option, and takes it where it is asked for (A2A-4.4.6-c)", async () => {
    await using plain = await connect(server.url);
    expect(plain.interface.protocolBinding).toBe("JSONRPC");
    await using agent = await connect(server.url, { grpc, prefer: "GRPC" });
    expect(agent.interface).toMatchObject({
      protocolBinding: "GRPC",
      protocolVersion: "1.0",
      url: server.grpc?.address,
    });
    expect((await agent.send("message")).text()).toBe("just words");
    const run = await agent.start("go");
    const kinds: string[] = [];
    for await (const event of run) kinds.push(Object.keys(event)[0] ?? "");
    expect([kinds.at(-1), (await run.result()).task?.status.state]).toEqual([
      "statusUpdate",
      "TASK_STATE_COMPLETED",
    ]);
  });

  it("speaks 0.3 over gRPC, in the shapes of 1.0", async () => {
    await using agent = await connect(server.url, { grpc, bindings: ["GRPC"], versions: ["0.3"] });
    expect(agent.interface).toMatchObject({ protocolBinding: "GRPC", protocolVersion: "0.3" });
    expect((await agent.send("message")).text()).toBe("just words");
    const { task: sent } = await agent.send("go");
    expect(sent?.status.state).toBe("TASK_STATE_COMPLETED");
    expect((await failure(agent.getTask({ id: "nobody" }))).reason).toBe("TASK_NOT_FOUND");
  });

  it("says what is missing, and which addresses are none", async () => {
    const error = await failure(connect(server.url, { bindings: ["GRPC"] }));
    expect([error.reason, error.message]).toEqual(["CONFIG", expect.stringContaining("a2a-typed/grpc")]);
    const card = {
      ...server.card,
      supportedInterfaces: [{ url: "http://a b", protocolBinding: "GRPC", protocolVersion: "1.0" }],
    };
    const none = await failure(connect(card, { grpc, bindings: ["GRPC"] }));
    expect([none.reason, none.message]).toEqual([
      "NO_COMPATIBLE_INTERFACE",
      expect.stringContaining("expected host:port"),
    ]);
  });

  it("goes on with another interface where nobody listens for gRPC", async () => {
    const card = {
      ...server.card,
      supportedInterfaces: [
        { url: "127.0.0.1:1", protocolBinding: "GRPC", protocolVersion: "1.0" },
        ...server.card.supportedInterfaces,
      ],
    };
    await using agent = await connect(card, { grpc, fallback: true, retry: false });
    expect((await agent.send("message")).text()).toBe("just words");
    expect(agent.interface.url).toBe(server.grpc?.address);
  });

  it("gives headers and credentials to another origin only where that is named", async () => {
    const options = { grpc, bindings: ["GRPC"], headers: { "x-own": "1" } };
    const error = await failure(connect(server.url, options));
    expect([error.reason, error.message]).toEqual([
      "NO_COMPATIBLE_INTERFACE",
      expect.stringContaining("headerOrigins"),
    ]);
    await using agent = await connect(server.url, {
      ...options,
      headerOrigins: [`http://${server.grpc?.address ?? ""}`],
    });
    expect((await agent.send("message")).text()).toBe("just words");
  });

  it("goes where the guard lets it go, and to no other address", async () => {
    const port = String(server.grpc?.port);
    await using refusing = networkGuard({
      allow: [server.url],
      lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    });
    const card = (url: string) => ({
      ...server.card,
      supportedInterfaces: [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }],
    });
    const refused = await failure(connect(card(`agent.example.com:${port}`), { grpc, guard: refusing }));
    expect([refused.reason, refused.message]).toEqual([
      "NO_COMPATIBLE_INTERFACE",
      expect.stringContaining("public address"),
    ]);
    // The name does not exist: only the checked address can have been connected to.
    await using allowing = networkGuard({
      allow: ["agent.invalid"],
      lookup: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    });
    await using agent = await connect(card(`http://agent.invalid:${port}`), { grpc, guard: allowing });
    expect((await agent.send("message")).text()).toBe("just words");
  });
});

describe("credentials", () => {
  let server: RunningServer;
  const tokens: string[] = [];
  beforeAll(async () => {
    const verify = (token: string) => {
      tokens.push(token);
      return token === "new" ? { principal: "alice" } : undefined;
    };
    const schemes = { token: bearerCheck(verify) };
    server = await serve(
      agentOf((ctx) => Promise.resolve(String(ctx.principal))),
      {
        port: 0,
        logger: quiet,
        auth: { schemes },
        grpc: { port: 0 },
      },
    );
  });
  afterAll(() => server.close());
  const address = (): string => server.grpc?.address ?? "";

  it("of any provider are metadata, asked for once more after UNAUTHENTICATED", async () => {
    tokens.length = 0;
    let asked = 0;
    const auth = bearer(() => (asked++ === 0 ? "old" : "new"));
    const client = createClient(A2A, authenticated(grpc, { address: address(), auth }));
    const { task: sent } = await client.sendMessage(hello);
    expect([sent?.artifacts?.[0]?.parts[0]?.text, tokens]).toEqual(["alice", ["old", "new"]]);
    await client.close();
  });

  it("of connect go along, and errors do not hold them", async () => {
    const origin = `http://${address()}`;
    const options = { grpc, prefer: "GRPC", headerOrigins: [origin] };
    await using agent = await connect(server.url, { ...options, auth: bearer("new") });
    expect((await agent.send("hello")).text()).toBe("alice");
    await using other = await connect(server.url, { ...options, auth: bearer("wrong-and-secret") });
    const error = await failure(other.send("hello"));
    expect([error.reason, error.status, JSON.stringify([error.message, error.headers])]).toEqual([
      "UNAUTHENTICATED",
      401,
      expect.not.stringContaining("secret"),
    ]);
    expect(error.headers?.["www-authenticate"]).toContain("Bearer");
  });

  it("for a query have no place", async () => {
    const auth = apiKey({ in: "query", name: "key", key: "k" });
    const client = createClient(A2A, authenticated(grpc, { address: address(), auth }));
    expect((await failure(client.getTask({ id: "x" }))).reason).toBe("CONFIG");
    await client.close();
  });
});

describe("failures", () => {
  it("of nobody there are NETWORK, and known to have changed nothing", async () => {
    const client = open("127.0.0.1:1");
    const error = await failure(client.getTask({ id: "x" }));
    expect([error.reason, error.message]).toEqual(["NETWORK", "Could not reach 127.0.0.1:1 (ECONNREFUSED)"]);
    expect((error.cause as { code?: string }).code).toBe("ECONNREFUSED");
    await client.close();
  });

  it("of a deadline are TIMEOUT, and the server is told the deadline", async () => {
    const gone = gate<boolean>();
    const router = createRouter(A2A, {
      getTask: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            gone.open(true);
            resolve(task("1"));
          });
        }),
    });
    await using listening = await listenGrpc(router);
    const client = open(listening.address);
    expect((await failure(client.getTask({ id: "1" }, { timeoutMs: 200 }))).reason).toBe("TIMEOUT");
    expect(await gone.passed).toBe(true);
    await client.close();
  });

  it("of an abort are ABORTED and reach the server; a stream that is left ends its call", async () => {
    const [begun, gone, left] = [gate(), gate(), gate()];
    const router = createRouter(A2A, {
      getTask: async (_, { signal }) => {
        begun.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        gone.open();
        return task("1");
      },
      async *subscribeToTask(_, { signal }) {
        signal.addEventListener("abort", () => left.open());
        yield { task: task("1") };
        await left.passed;
      },
    });
    await using listening = await listenGrpc(router);
    const client = open(listening.address);
    const controller = new AbortController();
    const calling = failure(client.getTask({ id: "1" }, { signal: controller.signal }));
    await begun.passed;
    controller.abort();
    expect((await calling).reason).toBe("ABORTED");
    await gone.passed;
    for await (const _ of client.subscribeToTask({ id: "1" })) break;
    await left.passed;
    await client.close();
    expect((await failure(client.getTask({ id: "1" }))).reason).toBe("ABORTED");
  });

  it("of a connection that breaks in the middle of a stream are STREAM_CUT", async () => {
    const router = createRouter(A2A, {
      async *subscribeToTask() {
        yield { task: task("1") };
        await new Promise(() => undefined);
      },
    });
    const listening = await listenGrpc(router);
    const client = open(listening.address);
    const stream = client.subscribeToTask({ id: "1" });
    expect((await stream.next()).value).toMatchObject({ task: { id: "1" } });
    const next = failure(stream.next());
    await listening.close(0);
    expect((await next).reason).toBe("STREAM_CUT");
    await client.close();
  });

  it("of size are PAYLOAD_TOO_LARGE, for a reply, an event and a request", async () => {
    const big = { ...task("1"), metadata: { pad: "x".repeat(50_000) } };
    const router = createRouter(
      A2A,
      {
        getTask: () => big,
        async *subscribeToTask() {
          yield { task: big };
        },
      },
      { limits: { bodyBytes: 10_000 } },
    );
    await using listening = await listenGrpc(router);
    const small = open(listening.address, { maxBodyBytes: 10_000 });
    const events = open(listening.address, { maxEventBytes: 10_000 });
    const request = { message: userMessage("x".repeat(20_000)) };
    expect([
      (await failure(small.getTask({ id: "1" }))).reason,
      (await failure(events.subscribeToTask({ id: "1" }).next())).reason,
      (await failure(events.sendMessage(request))).reason,
    ]).toEqual(["PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE"]);
    await small.close();
    await events.close();
  });

  it("of headers that metadata cannot carry are CONFIG, before anything is sent", async () => {
    const client = open("127.0.0.1:1", { headers: { "x-name": "José" } });
    expect((await failure(client.getTask({ id: "x" }))).reason).toBe("CONFIG");
    await client.close();
  });
});

it("addresses: what is one, and what is spoken to in the clear", async () => {
  const { readGrpcAddress } = await import("../../src/client/grpc-address.js");
  const seen = [
    "localhost:50051",
    "127.0.0.1:1",
    "[::1]:7",
    "agent.example.com:8443",
    "agent.example.com",
    "http://agent:9000",
    "https://agent.example.com/",
    "dns:///agent.example.com:443",
  ].map((text) => readGrpcAddress(text).url);
  expect(seen).toEqual([
    "http://localhost:50051",
    "http://127.0.0.1:1",
    "http://[::1]:7",
    "https://agent.example.com:8443",
    "https://agent.example.com:443",
    "http://agent:9000",
    "https://agent.example.com:443",
    "https://agent.example.com:443",
  ]);
  for (const text of ["", "http://", "ftp://a:1", "a:1/path", "a b:1", "user@a:1", "a:99999"]) {
    expect(() => readGrpcAddress(text), text).toThrow(A2AError);
  }
});

it("a server of one's own takes the services beside others", async () => {
  const server = createServer(
    agentOf(() => Promise.resolve("hi")),
    { logger: quiet, grpcUrl: "agent.example.com:443" },
  );
  expect(server.card.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === "GRPC")).toEqual(
    [
      { url: "agent.example.com:443", protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url: "agent.example.com:443", protocolBinding: "GRPC", protocolVersion: "0.3" },
    ],
  );
  const own = new grpcJs.Server();
  const services = await grpcServices(server);
  expect(services.map(({ name }) => name)).toEqual(["lf.a2a.v1.A2AService", "a2a.v1.A2AService"]);
  for (const { definition, implementation } of services) own.addService(definition, implementation);
  const port = await new Promise<number>((resolve) => {
    own.bindAsync("127.0.0.1:0", grpcJs.ServerCredentials.createInsecure(), (_, bound) => resolve(bound));
  });
  const client = open(`127.0.0.1:${String(port)}`);
  expect((await client.sendMessage(hello)).task?.artifacts?.[0]?.parts).toEqual([{ text: "hi" }]);
  await client.close();
  await server.close();
  own.forceShutdown();
});

it("a port that is taken is told as one", async () => {
  const server = await start({ grpc: { port: 0 } });
  const error = await failure(start({ grpc: { port: server.grpc?.port ?? 0 } }));
  expect([error.reason, error.message]).toEqual(["CONFIG", expect.stringContaining("the port is in use")]);
  await server.close();
});

describe.skipIf(!hasOpenssl)("TLS", () => {
  let certificates: ReturnType<typeof authority<"server" | "alice">>;
  beforeAll(() => {
    certificates = authority("server", "alice");
  });

  it("encrypts, and the client trusts no other authority (A2A-7.1-a)", async () => {
    await using server = await start({
      grpc: { port: 0, credentials: certificates.of.server },
    });
    const address = server.grpc?.address ?? "";
    const client = open(address, { credentials: { ca: certificates.ca } });
    expect((await client.sendMessage({ message: userMessage("message") })).message?.parts).toEqual([
      { text: "just words" },
    ]);
    await client.close();
    const stranger = open(address, { credentials: "tls" });
    expect((await failure(stranger.getTask({ id: "x" }, { timeoutMs: 5_000 }))).reason).toMatch(
      /NETWORK|TIMEOUT/,
    );
    await stranger.close();
  });

  it("with own certificates on both sides tells the handler who calls, and lets nobody else in", async () => {
    const verify = (certificate: object) => ({
      principal: (certificate as { subject: { CN: string } }).subject.CN,
    });
    await using server = await serve(
      agentOf((ctx) => Promise.resolve(String(ctx.principal))),
      {
        port: 0,
        logger: quiet,
        auth: { schemes: { certificate: mtls(verify) } },
        grpc: {
          port: 0,
          credentials: { ...certificates.of.server, ca: certificates.ca },
        },
      },
    );
    const address = server.grpc?.address ?? "";
    const { ca } = certificates;
    const alice = open(address, { credentials: { ca, ...certificates.of.alice } });
    expect((await alice.sendMessage(hello)).task?.artifacts?.[0]?.parts).toEqual([{ text: "alice" }]);
    await alice.close();
    const nobody = open(address, { credentials: { ca } });
    expect((await failure(nobody.getTask({ id: "x" }, { timeoutMs: 5_000 }))).reason).toMatch(
      /NETWORK|TIMEOUT/,
    );
    await nobody.close();
  });
});

it("requests of the transport are what gRPC says: path, version, extensions (A2A-3.2.6-b, A2A-10.2-a)", async () => {
  const seen: Record<string, unknown>[] = [];
  const router = createRouter(A2A, {
    getTask: (_, { headers }) => {
      seen.push(headers);
      return task("1");
    },
  });
  await using listening = await listenGrpc(router);
  const client = createClient(A2A, grpc({ address: listening.address, headers: { "x-own": "1" } }), {
    extensions: ["https://example.com/a", "https://example.com/b"],
  });
  await client.getTask({ id: "1" });
  expect(seen[0]).toMatchObject({
    "a2a-version": "1.0",
    "a2a-extensions": "https://example.com/a, https://example.com/b",
    "x-own": "1",
  });
  await client.close();
});
