/** Client certificates: shown to our own server over TLS, and to nobody else. */
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it } from "vitest";
import * as auth from "../../src/auth.js";
import { connect } from "../../src/client.js";
import { credentials } from "../../src/client-auth.js";
import { createNodeHandler, mtls, networkGuard } from "../../src/node.js";
import { createServer } from "../../src/server.js";
import { authority, hasOpenssl } from "../certificates.js";
import { failure } from "../client/support.js";
import { agentOf, quiet } from "../server/agents.js";

const test = it.skipIf(!hasOpenssl);
let ca: Buffer;
let certificates: ReturnType<typeof authority<"server" | "alice">>["of"];

beforeAll(() => {
  if (hasOpenssl) ({ ca, of: certificates } = authority("server", "alice"));
});

async function start() {
  const scheme = auth.mtls((certificate) => {
    const { subject } = certificate as { readonly subject?: { readonly CN?: string } };
    return { principal: subject?.CN };
  });
  const server = createTlsServer({
    ...certificates.server,
    ca,
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
  const tls = { ...certificates.alice, ca };
  await using certificate = mtls(tls);
  await using agent = await connect(running.url, { auth: certificate });
  expect((await agent.send("x")).text()).toBe("you are alice");
  await using named = await connect(await cardOf(running.url), { auth: credentials({ certificate }) });
  expect((await named.send("x")).text()).toBe("you are alice");
  await using nobody = mtls({ ca });
  await using stranger = await connect(await cardOf(running.url), { auth: nobody });
  expect((await failure(stranger.send("x"))).reason).toBe("UNAUTHENTICATED");
});

test("a guard shows it too, and refuses to share the work with another client", async () => {
  await using running = await start();
  const tls = { ...certificates.alice, ca };
  await using guard = networkGuard({ allow: ["127.0.0.1"], tls });
  await using agent = await connect(running.url, { guard });
  expect((await agent.send("x")).text()).toBe("you are alice");
  await using certificate = mtls(tls);
  expect((await failure(connect(running.url, { guard, auth: certificate }))).reason).toBe("CONFIG");
});

test("a server whose authority is not known is not talked to (A2A-7.2-a)", async () => {
  await using running = await start();
  expect((await failure(connect(running.url))).reason).toBe("NETWORK");
  await using nobody = mtls(certificates.alice);
  expect((await failure(connect(running.url, { auth: nobody }))).reason).toBe("NETWORK");
});

/** Its card, over a client that knows the authority. */
async function cardOf(url: string): Promise<object> {
  await using certificate = mtls({ ca });
  const init = { method: "GET", headers: { "a2a-version": "1.0" }, redirect: "manual" as const };
  const { signal } = new AbortController();
  const reply = await certificate.fetch(`${url}/.well-known/agent-card.json`, { ...init, signal });
  return JSON.parse(await reply.text()) as object;
}
