import { createClient, fetchAgentCard, httpJson, jsonRpc, type Client } from "../client.js";
import { pivot, type AgentCard } from "../versions/pivot.js";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import type { CallOptions } from "./options.js";

/** Binding names of agent cards by the value of `--binding`. */
const bindings = { jsonrpc: "JSONRPC", http: "HTTP+JSON" } as const;

/** Minor versions of one major version understand each other's calls. */
const major = `${pivot.version.split(".")[0] ?? ""}.`;

/** Reads the card at `url` and opens a client for the interface that the options name, else the first usable one. */
export async function openClient(url: string, options: CallOptions, io: Io): Promise<Client<typeof pivot>> {
  const target = options.direct
    ? { url, binding: bindings[options.binding ?? "jsonrpc"] }
    : pickInterface(await readCard(url, options, io), options.binding);
  const transport =
    target.binding === "HTTP+JSON" ? httpJson({ url: target.url }) : jsonRpc({ url: target.url });
  return createClient(pivot, transport, {
    ...(options.header && { headers: options.header }),
    ...(options.timeout !== undefined && { timeoutMs: options.timeout * 1000 }),
  });
}

/** The card of the agent at `url`, with the headers and the deadline of the command line. */
export const readCard = (url: string, options: CallOptions, io: Io): Promise<AgentCard> =>
  fetchAgentCard(url, {
    signal: io.signal,
    ...(options.header && { headers: options.header }),
    ...(options.timeout !== undefined && { timeoutMs: options.timeout * 1000 }),
  });

function pickInterface(card: AgentCard, binding: CallOptions["binding"]): { url: string; binding: string } {
  const wanted: readonly string[] = binding ? [bindings[binding]] : Object.values(bindings);
  const found = card.supportedInterfaces.find(
    (one) => wanted.includes(one.protocolBinding) && one.protocolVersion.startsWith(major),
  );
  if (found) return { url: found.url, binding: found.protocolBinding };
  const offered = card.supportedInterfaces
    .map((one) => `${one.protocolBinding} ${one.protocolVersion}`)
    .join(", ");
  throw new CliFailure(
    `the card of ${card.name} names no ${wanted.join(" or ")} interface of A2A ${major}x (it names: ${offered || "none"})`,
  );
}
