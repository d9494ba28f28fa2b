import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { A2A } from "../../generated/v1.0/index.js";
import { onAbort } from "../../src/client/on-abort.js";
import { createClient, inMemory } from "../../src/index.js";
import { createRouter } from "../../src/server/router.js";
import { failure } from "./support.js";

describe("one signal watched by many", () => {
  it("has one listener, which goes with the last who watches", () => {
    const { signal } = new AbortController();
    const stops = Array.from({ length: 20 }, () => onAbort(signal, () => undefined));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    const last = stops.pop();
    for (const stop of stops) stop();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    last?.();
    last?.();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("calls each once, also where one stops another or watches anew", () => {
    const controller = new AbortController();
    const calls: string[] = [];
    onAbort(controller.signal, () => {
      calls.push("a");
      stop();
    });
    const stop = onAbort(controller.signal, () => calls.push("b"));
    const gone = onAbort(controller.signal, () => calls.push("c"));
    gone();
    controller.abort();
    expect(calls).toEqual(["a", "b"]);
  });

  it("ends any number of calls at a time, without a warning of a leak", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const client = createClient(
      A2A,
      inMemory(createRouter(A2A, { getTask: () => new Promise<never>(() => undefined) })),
    );
    const controller = new AbortController();
    const calls = Array.from({ length: 30 }, async (_, i) =>
      failure(client.getTask({ id: `t${String(i)}` }, { signal: controller.signal })),
    );
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort();
    expect(new Set((await Promise.all(calls)).map(({ reason }) => reason))).toEqual(new Set(["ABORTED"]));
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    const open = Array.from({ length: 30 }, async () => failure(client.getTask({ id: "t" })));
    await client.close();
    expect(new Set((await Promise.all(open)).map(({ message }) => message))).toEqual(
      new Set(["The client is closed"]),
    );
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });
});
