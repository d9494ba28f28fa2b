import { check } from "../codec/check.js";
import { memberOf } from "../codec/json.js";
import { report, type Reader } from "../codec/reader.js";
import { tolerant } from "../codec/tolerant.js";
import type { JsonObject, Rule } from "../descriptor.js";
import {
  artifactUpdateTable,
  messageTable,
  sendMessageResponseTable,
  statusTable,
  statusUpdateTable,
  streamResponseTable,
  taskStateTable,
  taskTable,
} from "../versions/pivot.js";
import { payloadOf, payloadOfKind } from "./payload.js";
import { objectIn, withoutUnknown, type Reshape } from "./reshape.js";

const WRAPPERS = ["task", "message", "statusUpdate", "artifactUpdate", "status_update", "artifact_update"];

/** A payload without its wrapper is told by its kind, else by its members. */
const wrapPayload =
  (rule: Rule): Reshape =>
  (value, { reader }) => {
    const kind = payloadOfKind(value["kind"]);
    // A kind beside the wrapper is a leftover.
    if (objectIn(value, ...WRAPPERS)) return kind === undefined ? value : withoutUnknown(rule, value, reader);
    const payload = kind ?? payloadOf(value);
    if (payload === undefined) return value;
    report(reader, "bare_payload", `read as { ${payload}: … }`);
    return { [payload]: value };
  };

/** An object whose members are those of 1.x, and maybe others of 0.x. */
const marked =
  (rule: Rule, isLegacy: (value: JsonObject) => boolean): Reshape =>
  (value, { reader }) =>
    isLegacy(value) ? withoutUnknown(rule, value, reader) : value;

const reshapeMessage: Reshape = (value, { reader }) => {
  const { content, ...others } = value;
  // What the ProtoJSON of 0.3 calls the parts.
  if (Array.isArray(content) && value["parts"] === undefined) {
    reportMember(reader, "content", "legacy_name", "read as parts");
    return reshapeMessage({ ...others, parts: content }, { reader, losses: undefined });
  }
  const { kind, role } = value;
  const isLegacy = kind === "message" || role === "user" || role === "agent";
  return isLegacy ? withoutUnknown(messageTable, value, reader) : value;
};

/** A state that nobody knows is none that 1.x has, unless it is written like one; times that are none are left out. */
const reshapeStatus: Reshape = (value, { reader }) => {
  const { state, timestamp, ...others } = value;
  if (typeof state !== "string" || /^TASK_STATE_/.test(state)) return value;
  let status = value;
  if (!taskStateTable.values.includes(state) && memberOf(taskStateTable.legacy, state) === undefined) {
    reportMember(reader, "state", "unknown_state", `read as ${UNSPECIFIED}`);
    status = { ...status, state: UNSPECIFIED };
  }
  if (timestamp === undefined || timestamp === null || isTime(timestamp)) return status;
  reportMember(reader, "timestamp", "bad_timestamp", "dropped");
  return { ...others, state: status["state"] ?? state };
};
const UNSPECIFIED = taskStateTable.values[0] ?? "";
const isTime = (value: unknown): boolean =>
  "value" in check({ is: "timestamp" }, value, { direction: "reply", mode: tolerant });

function reportMember(reader: Reader, name: string, code: string, outcome: string): void {
  reader.path.push(name);
  report(reader, code, outcome);
  reader.path.pop();
}

/** Reshapes of what a conversation is made of, by table. */
export const taskReshapes: readonly (readonly [Rule, Reshape])[] = [
  [streamResponseTable, wrapPayload(streamResponseTable)],
  [sendMessageResponseTable, wrapPayload(sendMessageResponseTable)],
  [messageTable, reshapeMessage],
  [statusTable, reshapeStatus],
  [taskTable, marked(taskTable, ({ kind }) => kind === "task")],
  [
    statusUpdateTable,
    marked(statusUpdateTable, (value) => value["kind"] === "status-update" || "final" in value),
  ],
  [artifactUpdateTable, marked(artifactUpdateTable, ({ kind }) => kind === "artifact-update")],
];
