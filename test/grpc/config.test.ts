/** What is asked of gRPC and cannot be: told as CONFIG, in words that help. */
import * as grpcJs from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { createClient } from "../../src/index.js";
import { grpc, listenGrpc } from "../../src/grpc.js";
import { openChannel } from "../../src/grpc/grpc-channel.js";
import { createServer, serve } from "../../src/server.js";
import { agentOf, quiet } from "../server/agents.js";

const agent = agentOf(() => Promise.resolve("hi"));
const server = () => createServer(agent, { logger: quiet });

it("ports that are none", async () => {
  for (const port of [70_000, -1]) {
    await expect(listenGrpc(server(), { port })).rejects.toMatchObject({
      reason: "CONFIG",
      message: `Cannot listen on 127.0.0.1 port ${String(port)}: port must be a whole number from 0 to 65535`,
    });
  }
});

it("credentials that are no PEM, of a server and of a client", async () => {
  const credentials = { cert: "no certificate", key: "no key" };
  const said = { reason: "CONFIG", message: expect.stringContaining("as PEM") as string };
  await expect(listenGrpc(server(), { credentials })).rejects.toMatchObject(said);
  const client = createClient(A2A, grpc({ address: "127.0.0.1:1", credentials }));
  await expect(client.getTask({ id: "x" })).rejects.toMatchObject(said);
  // There is nothing to close, which is no failure.
  await client.close();
});

it("hosts are names, whatever other kinds of targets the package knows", () => {
  for (const host of ["unix", "ipv4", "xds", "dns"]) {
    const channel = openChannel(grpcJs, {
      address: { host, port: 443, secure: false, url: `http://${host}:443` },
      maxBytes: 1_000,
    });
    expect(channel.getChannel().getTarget()).toBe(`dns:${host}:443`);
    channel.close();
  }
});

it("serve names a gRPC server of one's own in the card", async () => {
  await using running = await serve(agent, { port: 0, logger: quiet, grpcUrl: "agent.example.com:443" });
  const card = (await (await fetch(`${running.url}/.well-known/agent-card.json`)).json()) as {
    supportedInterfaces: { url: string; protocolBinding: string }[];
  };
  const urls = card.supportedInterfaces.flatMap(({ url, protocolBinding }) =>
    protocolBinding === "GRPC" ? [url] : [],
  );
  expect(urls).toEqual(["agent.example.com:443", "agent.example.com:443"]);
});
