import { expect, it } from "vitest";
import { decode } from "../../src/codec/decode.js";
import { A2AError } from "../../src/errors.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { createRandom } from "../hostile/random.js";
import { mutateBytes } from "./mutate-bytes.js";
import { messageOf, spoken, type SpokenMessage } from "./messages.js";
import kept from "./official-bytes.json" with { type: "json" };

/** Mutated messages of each version; `A2A_RUNS` and `A2A_SEED` repeat or widen a run. */
const RUNS = Number(process.env["A2A_RUNS"] ?? 20_000);
const SEED = Number(process.env["A2A_SEED"] ?? 8);
/** What one message of a few hundred bytes may cost, on a busy machine. */
const SLOWEST_MS = 1_000;

const samples: Readonly<Record<string, Readonly<Record<string, readonly { bytes: string }[]>>>> = kept;

/** What a call gives, or the reason of its error; any other error than ours is let through. */
function outcomeOf(run: () => unknown): { readonly value?: unknown; readonly reason?: string } {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof A2AError)) throw error;
    expect(error.violations?.[0]?.description).toEqual(expect.any(String));
    return { reason: error.reason };
  }
}

/** Reads bytes as a server does; the outcome, for the counts. */
function read({ wire, table }: SpokenMessage, bytes: Uint8Array): string {
  const { value, reason } = outcomeOf(() => decodeMessage(wire, bytes, "request"));
  if (reason !== undefined) return `bytes: ${reason}`;
  // Whatever was read can be written, and is the same when it is read again.
  const again = encodeMessage(wire, value);
  expect(decodeMessage(wire, again)).toEqual(value);
  return outcomeOf(() => decode(table, value, { direction: "request" })).reason ?? "taken";
}

it.each(spoken.map(({ name }) => name))(
  "mutated bytes of %s are read or refused, and nothing else",
  (name) => {
    const random = createRandom(SEED);
    const all = Object.entries(samples[name] ?? {}).flatMap(([message, list]) =>
      list.map(({ bytes }) => ({ message: messageOf(name, message), bytes: Buffer.from(bytes, "hex") })),
    );
    const others = all.map(({ bytes }) => bytes);
    const outcomes = new Map<string, number>();
    let slowest = 0;
    for (let run = 0; run < RUNS; run++) {
      const { message, bytes } = random.pick(all);
      const mutated = mutateBytes(bytes, others, random);
      const start = performance.now();
      const outcome = ((): string => {
        try {
          return read(message, mutated);
        } catch (error) {
          throw new Error(`${message.wire.name} ${mutated.toString("hex")}`, { cause: error });
        }
      })();
      slowest = Math.max(slowest, performance.now() - start);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Each of the three outcomes is met often: the mutations are neither too mild nor too coarse.
    for (const outcome of ["bytes: INVALID_PARAMS", "INVALID_PARAMS", "taken"])
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(RUNS / 20);
    expect([...outcomes.keys()].sort()).toEqual(["INVALID_PARAMS", "bytes: INVALID_PARAMS", "taken"]);
    expect(slowest).toBeLessThan(SLOWEST_MS);
  },
);
