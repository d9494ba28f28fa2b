import {
  connect,
  createClient,
  fetchAgentCard,
  tolerant,
  type CardOptions,
  type Client,
  type ConnectOptions,
} from "../client.js";
import { openInterface } from "../client/open-interface.js";
import { pivot, type AgentCard } from "../versions/pivot.js";
import type { Io } from "./io.js";
import type { CallOptions } from "./options.js";

/** Binding names of agent cards by the value of `--binding`. */
const bindings = { jsonrpc: "JSONRPC", http: "HTTP+JSON" } as const;

/**
 * A client for the agent at `url`, whatever version it speaks: its card is read and an interface picked among those that
 * the options allow. With `--direct` the URL is the interface itself, of the newest version unless `--protocol` says
 * otherwise.
 */
export async function openClient(url: string, options: CallOptions, io: Io): Promise<Client<typeof pivot>> {
  const { header: headers, timeout, binding, protocol } = options;
  const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
  if (options.direct) {
    const target = {
      url,
      protocolBinding: bindings[binding ?? "jsonrpc"],
      protocolVersion: protocol ?? pivot.version,
      assumed: false,
    };
    return createClient(pivot, await openInterface(target, { headers }), { timeoutMs, mode: tolerant });
  }
  const own: ConnectOptions = {
    headers,
    headerOrigins: options.headerOrigin,
    timeoutMs,
    discoveryTimeoutMs: timeoutMs,
    signal: io.signal,
    ...(binding && { bindings: [bindings[binding]] }),
    ...(protocol !== undefined && { versions: [protocol] }),
  };
  return connect(url, own);
}

/** The card of the agent at `url`, with the headers and the deadline of the command line. */
export const readCard = (
  url: string,
  options: CallOptions,
  io: Io,
  onProblem?: CardOptions["onProblem"],
): Promise<AgentCard> =>
  fetchAgentCard(url, {
    signal: io.signal,
    onProblem,
    ...(options.header && { headers: options.header }),
    ...(options.timeout !== undefined && { timeoutMs: options.timeout * 1000 }),
  });
