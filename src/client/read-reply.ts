import { decode, type Problem } from "../codec/decode.js";
import { isEmptyMessage } from "../codec/json.js";
import type { TransportRequest } from "./transport.js";

/** Checks and normalises one value that an agent answered; leniencies go to `onWarning`. */
export function readValue({ method, mode, onWarning }: TransportRequest, raw: unknown): unknown {
  const { output } = method;
  const problems: Problem[] = [];
  // An operation without a result may answer `{}`, `null`, 204 or nothing (Q13); agents in Go write null for an empty list.
  const nothing = isEmptyMessage(output) ? {} : output.is === "list" ? [] : null;
  const value: unknown = decode<unknown>(output, raw ?? nothing, {
    direction: "reply",
    mode,
    problems,
  });
  for (const problem of problems) onWarning?.(problem);
  return value;
}
