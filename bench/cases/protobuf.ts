import { fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import * as wire from "../../generated/v1.0/grpc.js";
import type { Json } from "../../src/descriptor.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { otherImplementation } from "../../test/protobuf/other-implementation.js";
import type { BenchCase } from "../harness/bench-case.js";
import { sampleValues } from "../harness/sample-values.js";
import { timeOf } from "../harness/time-of.js";

type Subject = "protobuf-es" | "ours";
type TypeName = keyof typeof sampleValues;

const other = otherImplementation(wire.grpc);

/** Bytes of a message from the shapes that programs hold, and back: here JSON, there the messages of protobuf-es. */
function casesOf(type: TypeName): readonly BenchCase<Subject>[] {
  const value = sampleValues[type] as Json;
  const message = other(wire[type].name);
  const held = fromJson(message, value);
  const bytes = toBinary(message, held);
  if (!Buffer.from(bytes).equals(encodeMessage(wire[type], value)))
    throw new Error(`${type}: not the same bytes`);
  const works: Readonly<Record<"written" | "read", Readonly<Record<Subject, () => unknown>>>> = {
    written: { "protobuf-es": () => toBinary(message, held), ours: () => encodeMessage(wire[type], value) },
    read: { "protobuf-es": () => fromBinary(message, bytes), ours: () => decodeMessage(wire[type], bytes) },
  };
  return (["written", "read"] as const).map((work) => ({
    name: `${type} of 1.0 ${work} as protobuf, ${bytes.length.toLocaleString("en")} bytes`,
    unit: "ns per value",
    warm: true,
    rounds: 3,
    subjects: ["protobuf-es", "ours"],
    async measure(subject, { effort }) {
      return { cost: await timeOf(works[work][subject], effort) };
    },
    targets: [{ kind: "ratio", of: "protobuf-es", to: "ours", atLeast: 1 }],
  }));
}

const types: readonly TypeName[] = ["SendMessageRequest", "Message", "StreamResponse", "Task", "AgentCard"];

/** The bytes of gRPC, against another implementation of protobuf. */
export const protobuf: readonly BenchCase[] = types.flatMap(casesOf);
