import { byName } from "../load/stable-json.js";
import type { Decl, Model } from "../ir/types.js";
import { quote } from "./code.js";
import { header } from "./header.js";
import type { Target } from "./target.js";
import { fill } from "./templates.js";

/** Values that `helpers.ts` exports, types with `type` before them. */
export const HELPERS = [
  "agentMessage",
  "caseOf",
  "data",
  "file",
  "isInterrupted",
  "isTerminal",
  "text",
  "textOf",
  "userMessage",
  "type InterruptedState",
  "type TerminalState",
] as const;

const IMPORTS = {
  proto: ["Artifact", "Message", "Part", "SendMessageResponse", "StreamResponse", "Task", "TaskState"],
  kind: [
    "Artifact",
    "DataPart",
    "FilePart",
    "Message",
    "Part",
    "Task",
    "TaskArtifactUpdateEvent",
    "TaskState",
    "TaskStatusUpdateEvent",
    "TextPart",
  ],
} as const;

const TERMINAL = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"];
const INTERRUPTED = ["INPUT_REQUIRED", "AUTH_REQUIRED"];

/** `helpers.ts` from the template of the version's shape; undefined for a version without messages. */
export function emitHelpers(model: Model, target: Target): string | undefined {
  const shape = model.service.helpers;
  if (shape === "none") return undefined;
  const role = enumValues(model, "Role");
  const states = enumValues(model, "TaskState");
  const pick = (keys: readonly string[]): string[] =>
    keys.flatMap((name) => {
      const value = states.get(name);
      return value === undefined ? [] : [quote(value)];
    });
  const unions = shape === "proto" ? exclusive(model) : [];
  const text = fill(`helpers-${shape}`, {
    seam: target.seam,
    imports: [...new Set([...IMPORTS[shape], ...unions.map(({ name }) => name)])].sort(byName),
    user: role.get("USER"),
    agent: role.get("AGENT"),
    terminal: pick(TERMINAL).join(" | "),
    interrupted: pick(INTERRUPTED).join(" | "),
    terminalList: pick(TERMINAL).join(", "),
    interruptedList: pick(INTERRUPTED).join(", "),
    members: [...new Set(unions.flatMap((union) => union.members))],
    cases: unions.map((union, index) => ({
      first: index === 0,
      type: union.name,
      members: union.members.map(quote).join(" | "),
    })),
  });
  return `${header(model, target)}${text}`;
}

function enumValues(model: Model, name: string): Map<string, string> {
  const decl = model.decls.find((candidate) => candidate.name === name);
  if (decl?.kind !== "enum")
    throw new Error(
      `The helpers of ${model.line} need an enum ${name}; set helpers to "none" in the overlay.`,
    );
  return new Map(decl.values.map((value) => [value.key, value.value]));
}

/** Objects that are one required oneof, smaller ones first: an overload must not hide a narrower one. */
const exclusive = (model: Model): { name: string; members: readonly string[] }[] =>
  model.decls
    .filter((decl): decl is Extract<Decl, { kind: "object" }> => decl.kind === "object")
    .flatMap(({ name, oneofs }) => {
      const [oneof, ...more] = oneofs;
      return oneof?.required === true && more.length === 0 ? [{ name, members: oneof.members }] : [];
    })
    .sort((a, b) => a.members.length - b.members.length || byName(a.name, b.name));
