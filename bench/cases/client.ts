import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchCase } from "../harness/bench-case.js";
import { perRound } from "../harness/per-round.js";
import { startReader, type ReaderProcess } from "../harness/reader-process.js";
import { exchange, streamRequest } from "../harness/requests.js";
import { startServer } from "../harness/server-process.js";

type Subject = "official SDK" | "createClient" | "agent.start" | "fetch and JSON.parse";
const readers: Readonly<Record<Subject, string>> = {
  "official SDK": "official",
  createClient: "client",
  "agent.start": "agent",
  "fetch and JSON.parse": "bare",
};
/** Streams that a new process reads before it is measured. */
const WARM = 3;

/** Where a stream of our server is answered from memory, again and again. */
const recordedOnce = perRound(async (_: "stream", round): Promise<string> => {
  const chunks = round.effort.quick ? 20_000 : 100_000;
  const folder = mkdtempSync(join(tmpdir(), "a2a-client-"));
  round.atEnd(() => rmSync(folder, { recursive: true }));
  let text = "";
  const ours = await startServer("ours");
  const sent = streamRequest(ours, chunks);
  const body = sent.body?.replace('"id":1', '"id":"recorded"');
  await exchange(ours, { ...sent, ...(body !== undefined && { body }) }, (part) => (text += part));
  await ours.stop();
  const file = join(folder, "stream");
  writeFileSync(file, text);
  const { port } = await round.fresh("recorded", { env: { RECORDED: file } });
  return `http://127.0.0.1:${String(port)}/`;
});

const readerOf = perRound(async (subject: Subject, round): Promise<ReaderProcess> => {
  const reader = await startReader(readers[subject], await recordedOnce("stream", round));
  round.atEnd(() => reader.stop());
  for (let n = 0; n < WARM; n++) await reader.read();
  return reader;
});

/** The CPU of a client for an event of a recorded stream of 100,000; `npm run bench:client` has limits for its rate. */
export const client: BenchCase<Subject> = {
  name: "Client, event of a recorded stream",
  unit: "client's CPU µs per event",
  subjects: ["official SDK", "createClient", "agent.start", "fetch and JSON.parse"],
  rounds: 3,
  async measure(subject, round) {
    const { events, time, cpu } = await (await readerOf(subject, round)).read();
    return { cost: cpu / events, rate: (events / time) * 1000 };
  },
  targets: [{ kind: "ratio", of: "official SDK", to: "createClient", atLeast: 2 }],
};
