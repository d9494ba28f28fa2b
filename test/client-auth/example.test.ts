import { expect, it, vi } from "vitest";
import { runExample } from "../examples/run-example.js";
import { AuthorizationServer } from "./authorization-server.js";

it(
  "client-auth.ts shows a token, a key of the card, and tokens of a server",
  { timeout: 60_000 },
  async () => {
    await using tokens = await AuthorizationServer.start();
    tokens.secrets.set("agent", "example-secret");
    vi.stubEnv("CLIENT_SECRET", "example-secret");
    await using run = runExample("client-auth.ts", [tokens.url]);
    expect(await run.exit, run.output()).toBe(0);
    expect(run.output().trimEnd().split("\n")).toEqual([
      "booked for alice",
      "booked for bob",
      "booked for a token",
      "booked for a token",
    ]);
    expect(tokens.grants()).toHaveLength(2);
    vi.unstubAllEnvs();
  },
);
