import type { BenchCase } from "../harness/bench-case.js";
import { measureLoad } from "../harness/load.js";
import { legacySendRequest, sendRequest } from "../harness/requests.js";
import { taskOf } from "../harness/task-of.js";

/** A message of an older version against one of 1.0, at our server, which gets all of them. */
export const versions: BenchCase<"1.0" | "0.3" | "0.2"> = {
  name: "SendMessage by version, ours",
  unit: "CPU µs per request",
  warm: true,
  subjects: ["1.0", "0.3", "0.2"],
  async measure(subject, round) {
    const server = await round.server("ours", "all");
    const sent = subject === "1.0" ? sendRequest(server, "JSON-RPC") : legacySendRequest(server, subject);
    // An error of JSON-RPC would count as an answer.
    await taskOf(server, sent);
    return measureLoad(server, sent, 32, round.effort.requests);
  },
  targets: [{ kind: "ratio", of: "1.0", to: "0.3", atLeast: 0.8 }],
};
