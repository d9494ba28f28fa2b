/**
 * What gRPC costs a server: CPU per unary call and per event of a stream, against a service written by hand for the same
 * messages, by turns in one run. `npm run bench:grpc`; a ratio below 0.7 fails.
 */
import * as grpc from "@grpc/grpc-js";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { encodeMessage } from "../src/protobuf/encode-message.js";
import { loadGrpcService } from "../src/versions/grpc-services.js";
import { messageOf, type Said } from "./servers/grpc-contract.js";

const LIMIT = 0.7;
const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const CALLS = 2_000;
const CONCURRENT = 16;
const EVENTS = 2_000;
const STREAMS = 4;

const service = await loadGrpcService("1.0");
const input = service?.methods["sendMessage"]?.input;
if (service === undefined || input === undefined) throw new Error("gRPC does not speak 1.0");
const path = (method: string): string => `/${service.name}/${method}`;
const requestOf = (text: string): Buffer => Buffer.from(encodeMessage(input, messageOf(text)));
const same = (bytes: Buffer): Buffer => bytes;

class Server {
  readonly #process: ChildProcess;
  readonly #client: grpc.Client;
  readonly #metadata = new grpc.Metadata();

  private constructor(child: ChildProcess, address: string) {
    this.#process = child;
    this.#client = new grpc.Client(address, grpc.credentials.createInsecure());
    this.#metadata.set("a2a-version", "1.0");
  }

  static async start(name: string): Promise<Server> {
    const file = fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url));
    const child = fork(file, { execArgv: ["--import", "tsx"] });
    const [said] = (await once(child, "message")) as [Said];
    if (!("address" in said)) throw new Error(`${name} said nothing of its address`);
    return new Server(child, said.address);
  }

  async cpu(): Promise<number> {
    const answer = once(this.#process, "message");
    this.#process.send("cpu");
    const [said] = (await answer) as [Said];
    return "cpu" in said ? said.cpu : 0;
  }

  unary(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path("SendMessage"), same, same, bytes, this.#metadata, {}, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  }

  stream(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      let events = 0;
      this.#client
        .makeServerStreamRequest(path("SendStreamingMessage"), same, same, bytes, this.#metadata, {})
        .on("data", () => (events += 1))
        .on("error", reject)
        .on("end", () => resolve(events));
    });
  }

  stop(): void {
    this.#client.close();
    this.#process.disconnect();
  }
}

const hello = requestOf("hello");
const talk = requestOf(`stream ${String(EVENTS)}`);

const cases: Readonly<Record<string, (server: Server) => Promise<number>>> = {
  async unary(server) {
    let left = CALLS;
    const lane = async (): Promise<void> => {
      while (left-- > 0) await server.unary(hello);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, lane));
    return CALLS;
  },
  async stream(server) {
    const counts = await Promise.all(Array.from({ length: STREAMS }, () => server.stream(talk)));
    const events = counts.reduce((a, b) => a + b);
    // All but the task at the beginning, what closes the artifact, and the status at the end.
    if (events < EVENTS * STREAMS) throw new Error(`Only ${String(events)} events came`);
    return events;
  },
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const [raw, ours] = await Promise.all([Server.start("grpc-raw"), Server.start("grpc-ours")]);
let failed = false;
for (const [name, run] of Object.entries(cases)) {
  const costOf = async (server: Server): Promise<number> => {
    const before = await server.cpu();
    const count = await run(server);
    return ((await server.cpu()) - before) / count;
  };
  for (let i = 0; i < 3; i++) for (const server of [raw, ours]) await costOf(server);
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round++) pairs.push([await costOf(raw), await costOf(ours)]);
  const ratio = median(pairs.map(([floor, own]) => floor / own));
  const [floor, own] = [median(pairs.map(([one]) => one)), median(pairs.map(([, one]) => one))];
  failed ||= ratio < LIMIT;
  console.log(
    `${name.padEnd(8)} raw ${floor.toFixed(1)} µs, ours ${own.toFixed(1)} µs of CPU, ratio ${ratio.toFixed(2)} (at least ${String(LIMIT)})`,
  );
}
raw.stop();
ours.stop();
process.exitCode = failed ? 1 : 0;
