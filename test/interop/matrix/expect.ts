import type { Binding, Seen, Step, Version } from "./contract.js";

/** What every client must see of every server. */
type Expected = { readonly seen: Seen } | { readonly notOffered: string };

/** The one table that all observations are held against, by step; what a version does not have is said with the reason. */
export function expected(step: Step, version: Version, binding: Binding): Expected {
  if (step === "list" && version === "0.3") return { notOffered: "0.3 has no list of tasks" };
  const seen = { ...common[step] };
  // The task itself first is a rule of 1.0; 0.3 leaves open what a subscriber is told first.
  if (step === "subscribe" && version === "1.0") seen["first"] = "task";
  if (step === "push") seen["form"] = version;
  // In 0.3, except over JSON-RPC, 0 is the default of a proto field, which means no limit.
  if (step === "history" && !(version === "0.3" && binding !== "JSONRPC")) seen["none"] = 0;
  return { seen };
}

const common: Readonly<Record<Step, Record<string, unknown>>> = {
  card: { name: "Interop", streaming: true, push: true, skills: ["interop"] },
  send: { kind: "task", state: "completed", text: "heard complete" },
  message: { kind: "message", text: "heard message" },
  stream: { first: "task", states: ["submitted", "working", "completed"], text: "0 1 2 3 4 " },
  history: { all: ["ask", "Paris"], one: 1 },
  list: { pages: [2, 1], total: 3, same: true, more: false },
  input: {
    asked: "input-required",
    question: "Which city?",
    same: true,
    state: "completed",
    text: "heard Paris",
  },
  cancel: { running: true, state: "canceled", finished: "TASK_NOT_CANCELABLE" },
  subscribe: { id: true, last: "completed" },
  push: { made: true, got: true, listed: ["hook-1"], left: [], delivered: "completed", token: "secret" },
  unknown: {
    get: "TASK_NOT_FOUND",
    cancel: "TASK_NOT_FOUND",
    subscribe: "TASK_NOT_FOUND",
    send: "TASK_NOT_FOUND",
  },
  version: { error: "VERSION_NOT_SUPPORTED" },
};
