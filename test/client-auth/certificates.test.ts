/** Client certificates: shown to our own server over TLS, and to nobody else. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as auth from "../../src/auth.js";
import { connect } from "../../src/client.js";
import { credentials } from "../../src/client-auth.js";
import { createNodeHandler, mtls, networkGuard } from "../../src/node.js";
import { createServer } from "../../src/server.js";
import { failure } from "../client/support.js";
import { agentOf, quiet } from "../server/agents.js";

const folder = mkdtempSync(join(tmpdir(), "certificates-"));
const path = (name: string): string => join(folder, name);
const read = (name: string): Buffer => readFileSync(path(name));

/** A key, and a certificate of our own authority for it. */
function issue(name: string, subject: string): void {
  const run = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  run(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    path(`${name}.key`),
    "-out",
    path(`${name}.csr`),
    "-subj",
    `/CN=${subject}`,
    "-addext",
    "subjectAltName=IP:127.0.0.1",
  );
  run(
    "x509",
    "-req",
    "-in",
    path(`${name}.csr`),
    "-CA",
    path("ca.crt"),
    "-CAkey",
    path("ca.key"),
    "-CAcreateserial",
    "-days",
    "2",
    "-out",
    path(`${name}.crt`),
    "-copy_extensions",
    "copy",
  );
}

const present = spawnSync("openssl", ["version"]).status === 0;
if (!present) console.log("skipped: certificates are made with openssl; install it to run these tests");
const test = it.skipIf(!present);

beforeAll(() => {
  if (!present) return;
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      path("ca.key"),
      "-out",
      path("ca.crt"),
      "-days",
      "2",
      "-subj",
      "/CN=Test CA",
    ],
    { stdio: "pipe" },
  );
  issue("server", "127.0.0.1");
  issue("client", "alice");
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function start() {
  const scheme = auth.mtls((certificate) => {
    const { subject } = certificate as { readonly subject?: { readonly CN?: string } };
    return { principal: subject?.CN };
  });
  const server = createTlsServer({
    key: read("server.key"),
    cert: read("server.crt"),
    ca: read("ca.crt"),
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const agent = createServer(
    agentOf(async (ctx) => `you are ${String(ctx.principal)}`),
    { url, logger: quiet, auth: { schemes: { certificate: scheme } } },
  );
  server.on("request", createNodeHandler(agent.handle));
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.close();
    },
  };
}

test("a certificate is shown, by itself and as a credential of the card", async () => {
  await using running = await start();
  const tls = { cert: read("client.crt"), key: read("client.key"), ca: read("ca.crt") };
  await using certificate = mtls(tls);
  await using agent = await connect(running.url, { auth: certificate });
  expect((await agent.send("x")).text()).toBe("you are alice");
  await using named = await connect(await cardOf(running.url), { auth: credentials({ certificate }) });
  expect((await named.send("x")).text()).toBe("you are alice");
  await using nobody = mtls({ ca: read("ca.crt") });
  await using stranger = await connect(await cardOf(running.url), { auth: nobody });
  expect((await failure(stranger.send("x"))).reason).toBe("UNAUTHENTICATED");
});

test("a guard shows it too, and refuses to share the work with another client", async () => {
  await using running = await start();
  const tls = { cert: read("client.crt"), key: read("client.key"), ca: read("ca.crt") };
  await using guard = networkGuard({ allow: ["127.0.0.1"], tls });
  await using agent = await connect(running.url, { guard });
  expect((await agent.send("x")).text()).toBe("you are alice");
  await using certificate = mtls(tls);
  expect((await failure(connect(running.url, { guard, auth: certificate }))).reason).toBe("CONFIG");
});

test("a server whose authority is not known is not talked to (A2A-7.2-a)", async () => {
  await using running = await start();
  expect((await failure(connect(running.url))).reason).toBe("NETWORK");
  await using nobody = mtls({ cert: read("client.crt"), key: read("client.key") });
  expect((await failure(connect(running.url, { auth: nobody }))).reason).toBe("NETWORK");
});

/** Its card, over a client that knows the authority. */
async function cardOf(url: string): Promise<object> {
  await using certificate = mtls({ ca: read("ca.crt") });
  const init = { method: "GET", headers: { "a2a-version": "1.0" }, redirect: "manual" as const };
  const { signal } = new AbortController();
  const reply = await certificate.fetch(`${url}/.well-known/agent-card.json`, { ...init, signal });
  return JSON.parse(await reply.text()) as object;
}
