/** grpc.health.v1: what load balancers ask. */
import * as grpc from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { grpcHealth, listenGrpc } from "../../src/grpc.js";
import { createServer, memoryStore, serve } from "../../src/server.js";
import { agentOf, quiet } from "../server/agents.js";

// HealthCheckRequest { string service = 1 } and HealthCheckResponse { ServingStatus status = 1 }, by hand.
const request = (service: string): Buffer =>
  Buffer.concat([Buffer.from(service === "" ? [] : [0x0a, service.length]), Buffer.from(service)]);
const SERVING = "0801";
const NOT_SERVING = "0802";
const UNKNOWN = "0803";
const same = (bytes: Buffer): Buffer => bytes;

const check = (client: grpc.Client, service = ""): Promise<string | number> =>
  new Promise((resolve) => {
    client.makeUnaryRequest("/grpc.health.v1.Health/Check", same, same, request(service), (error, reply) =>
      resolve(error?.code ?? reply?.toString("hex") ?? ""),
    );
  });

const agent = agentOf(() => Promise.resolve("hi"));

it("SERVING, NOT_FOUND for services that are not there, and NOT_SERVING for whoever watches at the end", async () => {
  const server = await serve(agent, { port: 0, logger: quiet, grpc: { port: 0 } });
  const client = new grpc.Client(server.grpc?.address ?? "", grpc.credentials.createInsecure());
  const seen = [
    await check(client),
    await check(client, "lf.a2a.v1.A2AService"),
    await check(client, "a2a.v1.A2AService"),
    await check(client, "other"),
  ];
  expect(seen).toEqual([SERVING, SERVING, SERVING, 5]);
  const watch = (service: string): { said: string[]; first: Promise<void>; end: Promise<void> } => {
    const call = client.makeServerStreamRequest("/grpc.health.v1.Health/Watch", same, same, request(service));
    const said: string[] = [];
    const first = new Promise<void>((resolve) => {
      call.on("data", (bytes: Buffer) => {
        said.push(bytes.toString("hex"));
        resolve();
      });
    });
    return { said, first, end: new Promise((resolve) => call.on("end", resolve)) };
  };
  const [all, other] = [watch(""), watch("other")];
  await Promise.all([all.first, other.first]);
  await server.close();
  await Promise.all([all.end, other.end]);
  expect([all.said, other.said]).toEqual([[SERVING, NOT_SERVING], [UNKNOWN]]);
  client.close();
});

it("NOT_SERVING while the store does not answer, without a word of why", async () => {
  const store = { ...memoryStore(), read: () => Promise.reject(new Error("gone")) } as ReturnType<
    typeof memoryStore
  >;
  const server = createServer(agent, { logger: quiet, store });
  await using listening = await listenGrpc(server);
  const client = new grpc.Client(listening.address, grpc.credentials.createInsecure());
  expect(await check(client)).toBe(NOT_SERVING);
  client.close();
  await server.close();
});

it("knows the services that it is told of", async () => {
  const server = createServer(agent, { logger: quiet });
  const { name, definition, implementation } = grpcHealth(server, [{ name: "mine" }]);
  expect(name).toBe("grpc.health.v1.Health");
  const own = new grpc.Server();
  own.addService(definition, implementation);
  const port = await new Promise<number>((resolve) => {
    own.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_, bound) => resolve(bound));
  });
  const client = new grpc.Client(`127.0.0.1:${String(port)}`, grpc.credentials.createInsecure());
  expect([await check(client, "mine"), await check(client, "theirs")]).toEqual([SERVING, 5]);
  client.close();
  own.forceShutdown();
  await server.close();
});
