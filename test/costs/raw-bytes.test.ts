import { afterAll, beforeAll, expect, it } from "vitest";
import { buildServers } from "../../bench/harness/build-servers.js";
import * as requests from "../../bench/harness/requests.js";
import { startServer, type ServerProcess } from "../../bench/harness/server-process.js";
import { taskOf } from "../../bench/harness/task-of.js";
import { bytesOf } from "./bytes-of.js";

/** Servers that must write the same as the raw one. */
const names = ["ours", "sqlite"] as const;
let raw: ServerProcess;
const others: ServerProcess[] = [];

beforeAll(async () => {
  await buildServers(["raw", "ours"]);
  raw = await startServer("raw");
  for (const name of names) others.push(await startServer(name));
}, 60_000);

afterAll(async () => {
  for (const server of [raw, ...others]) await server.stop();
});

type Ask = (server: ServerProcess) => requests.BenchRequest | Promise<requests.BenchRequest>;
const bindings = ["JSON-RPC", "HTTP+JSON"] as const;
const asked: [string, Ask][] = bindings.flatMap((binding): [string, Ask][] => [
  [`SendMessage, ${binding}`, (server) => requests.sendRequest(server, binding)],
  [
    `GetTask, ${binding}`,
    async (server) =>
      requests.getRequest(server, binding, await taskOf(server, requests.sendRequest(server, binding))),
  ],
  [`SendMessage of 0.3, ${binding}`, (server) => requests.legacySendRequest(server, "0.3", binding)],
  [
    `GetTask of 0.3, ${binding}`,
    async (server) => {
      const id = await taskOf(server, requests.legacySendRequest(server, "0.3", binding));
      return requests.legacyGetRequest(server, binding, id);
    },
  ],
  [`a stream of 40, ${binding}`, (server) => requests.streamRequest(server, 40, { binding })],
  [
    `a stream of 40 artifacts, ${binding}`,
    (server) => requests.streamRequest(server, 40, { binding, distinct: true }),
  ],
]);

it.each(asked)("the raw server of the benchmarks writes what ours writes: %s", async (_, ask) => {
  const expected = await bytesOf(raw, await ask(raw));
  expect(expected).toMatch(/^HTTP\/1.1 200 OK\n/);
  for (const server of others) expect(await bytesOf(server, await ask(server)), server.name).toBe(expected);
});
