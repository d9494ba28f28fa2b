import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { connect } from "a2a-typed/client";
import { decode } from "a2a-typed/codec";
import { inputOf, type Run } from "./cases.js";

/** A card that names an endpoint of another origin; nothing listens to credentials there. */
const foreignEndpoint: Run = async (fieldCase) => {
  const { endpoint } = inputOf<{ readonly endpoint: string }>(fieldCase);
  const card = {
    name: "A",
    description: "An agent.",
    version: "1",
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    supportedInterfaces: [{ url: endpoint, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  };
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(card));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await expect(connect(url, { headers: { authorization: "Bearer secret" } })).rejects.toMatchObject({
      reason: "NO_COMPATIBLE_INTERFACE",
      message: expect.stringContaining(`name ${new URL(endpoint).origin} in headerOrigins`) as string,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

/** 0.1 is never spoken (decision 20): its values are refused, and what is read is said. */
const neverSpoken: Run = (fieldCase) => {
  const { events } = inputOf<{ readonly events: readonly unknown[] }>(fieldCase);
  for (const event of events) {
    expect(() => decode("event", event, { version: fieldCase.version })).toThrow(
      /^A2A 0\.1 is not supported: expected 1\.0, 0\.3, 0\.2/,
    );
  }
};

/** Cases whose outcome is that something is not done. */
export const refusalRuns: Record<string, Run> = { B114: neverSpoken, B176: foreignEndpoint };
