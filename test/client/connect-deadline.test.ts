/** Deadlines to a host that lets nobody in: SYNs that nothing answers, as of a firewall that drops them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { connect, headerDeadline, isA2AError } from "a2a-typed/client";
import { createClient, jsonRpc } from "a2a-typed";
import { networkGuard, undiciFetch } from "a2a-typed/node";
import { A2A, userMessage } from "a2a-typed/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failure } from "./support.js";

// It never accepts; once its queue is full, the system drops what else comes.
const DEAF = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

let url = "";
const queued: Socket[] = [];
let stop = (): void => undefined;

/** Whether a connection is made within 300 ms. */
async function knock(port: number): Promise<boolean> {
  const socket = connectSocket(port, "127.0.0.1");
  socket.on("error", () => undefined);
  queued.push(socket);
  const made = once(socket, "connect").then(() => true);
  return Promise.race([made, new Promise<boolean>((resolve) => setTimeout(resolve, 300, false))]);
}

describe.runIf(process.platform === "linux")("a host that does not let anybody in", () => {
  beforeAll(async () => {
    const child = spawn(process.execPath, ["-e", DEAF], { stdio: ["ignore", "pipe", "inherit"] });
    stop = () => void child.kill("SIGKILL");
    const [text] = (await once(child.stdout, "data")) as [Buffer];
    const port = Number(text.toString());
    while (await knock(port));
    url = `http://127.0.0.1:${String(port)}`;
  });
  afterAll(() => {
    for (const socket of queued) socket.destroy();
    stop();
  });

  const card = () => ({
    name: "A",
    capabilities: {},
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });
  const taken = async (work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
    const begun = performance.now();
    const error = await failure(work());
    return { error, ms: performance.now() - begun };
  };

  it("ends the wait for a connection with NETWORK; a message is sent again, for nothing was sent", async () => {
    await using fetch = undiciFetch({ connectTimeoutMs: 500 });
    await using agent = await connect(card(), { fetch, retry: { attempts: 2, delayMs: 1 } });
    const { error, ms } = await taken(() => agent.send("x"));
    expect(error).toMatchObject({ reason: "NETWORK" });
    expect((error as Error).message).toContain("UND_ERR_CONNECT_TIMEOUT");
    // The clock of undici has steps of half a second.
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(15_000);
  });

  it("is given up by a guard, too", async () => {
    await using guard = networkGuard({ allow: ["127.0.0.1"], connectTimeoutMs: 500 });
    const { error, ms } = await taken(() => connect(url, { guard }));
    expect(isA2AError(error) && error.reason).toMatch(/^(NETWORK|TIMEOUT)$/);
    expect(ms).toBeLessThan(15_000);
  });

  it("is given up by the deadline for headers, whatever the fetch: it cannot tell connecting from waiting", async () => {
    await using agent = await connect(card(), { headersTimeoutMs: 200, retry: false });
    const one = await taken(() => agent.send("x"));
    expect(one.error).toMatchObject({ reason: "TIMEOUT" });
    expect(one.ms).toBeLessThan(5_000);
    const own = headerDeadline((to, init) => fetch(to, init), 200);
    const client = createClient(A2A, jsonRpc({ url, fetch: own }));
    const other = await taken(() => client.sendMessage({ message: userMessage("x") }));
    expect(other.error).toMatchObject({ reason: "TIMEOUT" });
    expect(other.ms).toBeLessThan(5_000);
  });

  it("is given up after 10 s by default, with no option at all", { timeout: 60_000 }, async () => {
    const client = createClient(A2A, jsonRpc({ url }));
    const [agent, pinned] = await Promise.all([
      taken(() => connect(`${url}/card.json`)),
      taken(() => client.sendMessage({ message: userMessage("x") })),
    ]);
    for (const { error, ms } of [agent, pinned]) {
      expect(error).toMatchObject({ reason: "NETWORK" });
      expect((error as Error).message).toContain("UND_ERR_CONNECT_TIMEOUT");
      expect(ms).toBeGreaterThan(9_000);
      expect(ms).toBeLessThan(40_000);
    }
  });
});
