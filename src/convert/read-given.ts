import { decode } from "../codec/decode.js";
import type { Leniency, Problem } from "../codec/reader.js";
import { report } from "../codec/reader.js";
import type { Rule, ServiceDescriptor, Table } from "../descriptor.js";
import { A2AError } from "../errors.js";
import type { Loss } from "./types.js";

/** How the value given is read. */
export interface Reading {
  readonly table: Rule;
  readonly service: ServiceDescriptor;
  readonly direction: "request" | "reply";
}

/** The canonical form of what was given; what decoding itself changed is added to the losses. */
export function readGiven({ table, service, direction }: Reading, given: unknown, losses: Loss[]): unknown {
  const read = (mode?: Leniency, problems?: Problem[]): unknown =>
    decode(table as Table<unknown>, given, {
      direction,
      keepZero: true,
      ...(mode && { mode }),
      ...(problems && { problems }),
    });
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    throw isPayload(table, service) && error instanceof A2AError ? asAgentResponse(error, table) : error;
  }
  // Nothing was changed where the very value came back; else a second look says what.
  if (value === given) return value;
  const problems: Problem[] = [];
  read(noteSpellings, problems);
  for (const { pointer, code } of problems)
    losses.push({ path: pointer, code: code === "unknown_field" ? "dropped" : "normalized" });
  return value;
}

/** Reports the texts that decoding writes in another way: base64 of the other alphabet or without padding, times with an offset. */
const noteSpellings: Leniency = (rule, value, reader) => {
  if (typeof value !== "string") return value;
  const isOther =
    rule.is === "bytes"
      ? value.length % 4 > 0 || /[-_]/.test(value)
      : rule.is === "timestamp" && !value.endsWith("Z");
  if (isOther) report(reader, "normalized", "written in another way");
  return value;
};

/** Whether a table is the payload of replies: a result or an event that is exactly one of several things. */
function isPayload(table: Rule, { methods }: ServiceDescriptor): boolean {
  const isUnion = table.is === "tagged" || (table.is === "object" && table.oneofs?.[0]?.required === true);
  return isUnion && Object.values(methods).some(({ output }) => output === table);
}

/** Not exactly one payload is the fault of the agent, whoever reads it. */
function asAgentResponse(error: A2AError, table: Rule): A2AError {
  const marks = table.is === "tagged" ? ["", `/${table.tag}`] : [""];
  const { violations, data } = error;
  if (violations?.every(({ pointer }) => marks.includes(pointer)) !== true) return error;
  return new A2AError("INVALID_AGENT_RESPONSE", error.message, {
    code: -32006,
    violations,
    data,
    cause: error,
  });
}
