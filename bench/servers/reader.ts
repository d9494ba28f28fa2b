/** A client in a process of its own: reads the recorded stream once for every message from the bench. */
import { ClientFactory } from "@a2a-js/sdk/client";
import { officialSend } from "../../test/interop/official-shapes.js";
import { connect } from "../../src/client.js";
import { createClient, jsonRpc } from "../../src/index.js";
import { A2A, userMessage, type StreamResponse } from "../../generated/v1.0/index.js";

/** What was read; every client must have read the same. */
export interface ReadSum {
  readonly events: number;
  /** Characters of the text of all chunks. */
  readonly characters: number;
}

/** What reading cost. */
export interface ReadSample extends ReadSum {
  /** CPU of the process, user and system, in µs. */
  readonly cpu: number;
  /** Wall time in ms. */
  readonly time: number;
}

const url = process.env["RECORDED_AT"] ?? "";
const card = {
  name: "recorded",
  description: "recorded",
  version: "1.0.0",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};

const sum = async (events: AsyncIterable<StreamResponse>): Promise<ReadSum> => {
  let count = 0;
  let characters = 0;
  for await (const { artifactUpdate } of events) {
    count += 1;
    for (const part of artifactUpdate?.artifact.parts ?? []) characters += part.text?.length ?? 0;
  }
  return { events: count, characters };
};

/** The floor: the stream is cut into events and each is parsed, and nothing is checked. */
async function* bare(): AsyncGenerator<StreamResponse> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} }),
  });
  const decoder = new TextDecoder();
  let held = "";
  for await (const bytes of response.body ?? []) {
    const frames = (held + decoder.decode(bytes, { stream: true })).split("\n\n");
    held = frames.pop() ?? "";
    for (const frame of frames) {
      const at = frame.indexOf("data: ");
      if (at >= 0) yield (JSON.parse(frame.slice(at + 6)) as { result: StreamResponse }).result;
    }
  }
}

const readers: Readonly<Record<string, () => Promise<() => Promise<ReadSum>>>> = {
  bare: async () => () => sum(bare()),
  client: async () => {
    const client = createClient(A2A, jsonRpc({ url }));
    return () => sum(client.sendStreamingMessage({ message: userMessage("go") }));
  },
  agent: async () => {
    const agent = await connect(card);
    return async () => sum(await agent.start("go"));
  },
  official: async () => {
    const client = await new ClientFactory().createFromAgentCard(card as never);
    return async () => {
      let events = 0;
      let characters = 0;
      for await (const { payload } of client.sendMessageStream(officialSend("go"))) {
        events += 1;
        if (payload?.$case !== "artifactUpdate") continue;
        for (const { content } of payload.value.artifact?.parts ?? [])
          if (content?.$case === "text") characters += content.value.length;
      }
      return { events, characters };
    };
  },
};

const read = await readers[process.env["READER"] ?? ""]?.();
if (read === undefined) throw new Error("no such reader");
process.on("disconnect", () => process.exit(0));
process.on("message", () => {
  const before = process.cpuUsage();
  const start = performance.now();
  void read().then((read) => {
    const { user, system } = process.cpuUsage(before);
    const sample: ReadSample = { ...read, cpu: user + system, time: performance.now() - start };
    process.send?.(sample);
  });
});
process.send?.("ready");
