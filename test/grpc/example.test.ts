/** What the docs show, and the command line over gRPC. */
import { expect, it } from "vitest";
import { start } from "../bindings/peer.js";
import { run } from "../cli/run.js";
import { runExample } from "../examples/run-example.js";

it("examples/grpc.ts serves, connects and calls", { timeout: 60_000 }, async () => {
  await using example = runExample("grpc.ts");
  expect(await example.exit, example.output()).toBe(0);
  expect(example.output().trimEnd().split("\n").slice(1)).toEqual(["echo: hello", "TASK_STATE_COMPLETED"]);
});

it("--binding grpc calls the interface of the card, or with --direct an address", async () => {
  await using server = await start({ grpc: { port: 0 } });
  const sent = await run(["send", server.url, "message", "--binding", "grpc"]);
  expect([sent.code, sent.out]).toEqual([0, "just words\n"]);
  const direct = await run(["send", server.grpc?.address ?? "", "message", "--binding", "grpc", "--direct"]);
  expect([direct.code, direct.out]).toEqual([0, "just words\n"]);
  const missing = await run(["get", server.url, "nobody", "--binding", "grpc"]);
  expect([missing.code, missing.err]).toEqual([
    expect.any(Number),
    expect.stringContaining("Task not found: nobody"),
  ]);
  expect(missing.code).not.toBe(0);
});

it("serve --grpc-port says where", async () => {
  const controller = new AbortController();
  const ran = await run(["serve", "--port", "0", "--grpc-port", "0", "--json"], {
    signal: controller.signal,
    onOut: () => controller.abort(),
  });
  expect(JSON.parse(ran.out)).toMatchObject({
    grpc: { address: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string },
  });
});
