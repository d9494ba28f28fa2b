import * as tables from "../../generated/v1.0/tables.js";
import * as validators from "../../generated/v1.0/validators.js";
import { decode } from "../../src/codec/decode.js";
import { convert } from "../../src/convert.js";
import type { Table } from "../../src/descriptor.js";
import type { BenchCase, Target } from "../harness/bench-case.js";
import { sampleValues } from "../harness/sample-values.js";
import { timeOf } from "../harness/time-of.js";

type Work = "JSON.parse" | "decode" | "validate" | "convert to 0.3";
type TypeName = keyof typeof sampleValues;

/** Checking a value costs at most what parsing its text costs; converting a message three times as much. */
const targetsOf = (type: TypeName): readonly Target[] => [
  { kind: "ratio", of: "JSON.parse", to: "decode", atLeast: 1 },
  ...(type === "Message"
    ? ([{ kind: "ratio", of: "JSON.parse", to: "convert to 0.3", atLeast: 1 / 3 }] as const)
    : []),
];

function caseOf(type: TypeName): BenchCase<Work> {
  const text = JSON.stringify(sampleValues[type]);
  const parsed: unknown = JSON.parse(text);
  const table: Table<unknown> = tables[type];
  const isValid = validators[`is${type}`];
  const direction = type === "SendMessageRequest" ? "request" : "reply";
  if (decode(table, parsed, { direction }) !== parsed) throw new Error(`${type}: the value is not canonical`);
  if (!isValid(parsed)) throw new Error(`${type}: the value is not valid`);
  const works: Readonly<Record<Work, () => unknown>> = {
    "JSON.parse": () => JSON.parse(text) as unknown,
    decode: () => decode(table, parsed, { direction }),
    validate: () => isValid(parsed),
    "convert to 0.3": () => convert(type, parsed, { from: "1.0", to: "0.3" }),
  };
  return {
    name: `${type} of 1.0, ${text.length.toLocaleString("en")} bytes`,
    unit: "ns per value",
    warm: true,
    rounds: 3,
    // What is asked of a server is converted up, never down.
    subjects: type === "SendMessageRequest" ? ["JSON.parse", "decode", "validate"] : WORKS,
    async measure(subject, { effort }) {
      return { cost: await timeOf(works[subject], effort) };
    },
    targets: targetsOf(type),
  };
}

const WORKS: readonly Work[] = ["JSON.parse", "decode", "validate", "convert to 0.3"];
const types: readonly TypeName[] = ["SendMessageRequest", "Message", "StreamResponse", "Task", "AgentCard"];

/** Decoding, validating and converting a value, against parsing its text. */
export const codec: readonly BenchCase[] = types.map(caseOf);
