import type { ServerCase } from "../harness/bench-case.js";
import { measureLoad } from "../harness/load.js";
import {
  getRequest,
  legacyGetRequest,
  legacySendRequest,
  sendRequest,
  type Binding,
} from "../harness/requests.js";
import { isScarce, scarceServers } from "../harness/scarce-servers.js";
import { taskOf } from "../harness/task-of.js";

/** The servers that unary calls are compared on. */
const subjects = ["raw", "ours", "sqlite", "official"] as const;
const bindings: readonly Binding[] = ["JSON-RPC", "HTTP+JSON"];
/** What is to be reached at 32 connections in 1.0. */
const limits = { SendMessage: 0.85, GetTask: 0.95 } as const;

interface Unary {
  readonly method: "SendMessage" | "GetTask";
  readonly version: "1.0" | "0.3";
  readonly binding: Binding;
  readonly connections: 1 | 32;
}

const caseOf = ({ method, version, binding, connections }: Unary): ServerCase => ({
  name: `${method} ${version} ${binding}, ${String(connections)} connection${connections === 1 ? "" : "s"}`,
  unit: "CPU µs per request",
  warm: true,
  subjects,
  scarce: scarceServers,
  // No target is about the others.
  ...((connections === 1 || version !== "1.0") && { rounds: connections === 1 ? 2 : 3 }),
  async measure(subject, round) {
    const server = await round.server(subject, version);
    const send =
      version === "1.0" ? sendRequest(server, binding) : legacySendRequest(server, version, binding);
    // Also proof that the server answers as it should: an error of JSON-RPC would count as an answer.
    const id = await taskOf(server, send);
    const get = version === "1.0" ? getRequest(server, binding, id) : legacyGetRequest(server, binding, id);
    const { requests, scarce } = round.effort;
    const amount = (requests / (connections === 1 ? 4 : 1)) * (isScarce(subject) ? scarce : 1);
    return measureLoad(server, method === "SendMessage" ? send : get, connections, amount);
  },
  ...(connections === 32 &&
    version === "1.0" && {
      targets: [{ kind: "ratio", of: "raw", to: "ours", atLeast: limits[method] }],
    }),
});

/** SendMessage and GetTask, at 1 and 32 connections, on both bindings, in 1.0 and 0.3. */
export const unary: readonly ServerCase[] = (["1.0", "0.3"] as const).flatMap((version) =>
  bindings.flatMap((binding) =>
    ([32, 1] as const).flatMap((connections) =>
      (["SendMessage", "GetTask"] as const).map((method) =>
        caseOf({ method, version, binding, connections }),
      ),
    ),
  ),
);
