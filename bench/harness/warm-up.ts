import { repeat } from "./load.js";
import { getRequest, legacyGetRequest, legacySendRequest, sendRequest, type Binding } from "./requests.js";
import type { ServerProcess } from "./server-process.js";
import { measureStream } from "./stream.js";
import { taskOf } from "./task-of.js";

/** Whose calls a process gets: those of one version, or messages of all. */
export type Spoken = "1.0" | "0.3" | "all";

/** Requests of each kind that are enough for a server that spends a millisecond on each. */
const SLOW = 1_000;
const bindings: readonly Binding[] = ["JSON-RPC", "HTTP+JSON"];

/** Lets a new process compile what it will be measured on: `wanted` requests of each kind, and streams of 1.0. */
export async function warmUp(server: ServerProcess, wanted: number, spoken: Spoken): Promise<void> {
  const requests = server.name === "official" ? Math.min(wanted, SLOW) : wanted;
  const load = { connections: 8, amount: requests };
  if (spoken === "all") {
    await repeat(server, sendRequest(server, "JSON-RPC"), load);
    for (const version of ["0.3", "0.2"]) await repeat(server, legacySendRequest(server, version), load);
    return;
  }
  for (const binding of bindings) {
    const send = spoken === "1.0" ? sendRequest(server, binding) : legacySendRequest(server, spoken, binding);
    await repeat(server, send, load);
    // A new task each time: a store that is bounded may have let an older one go.
    const id = await taskOf(server, send);
    await repeat(server, (spoken === "1.0" ? getRequest : legacyGetRequest)(server, binding, id), load);
  }
  if (spoken !== "1.0") return;
  if (server.name === "official") await measureStream(server, { chunks: 100, times: 5 });
  else for (const chunks of [100, 1000]) await measureStream(server, { chunks, times: 30 });
}
