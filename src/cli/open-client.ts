import {
  connect,
  createClient,
  fetchAgentCard,
  tolerant,
  type CardOptions,
  type ConnectOptions,
} from "../client.js";
import { createAuthSession } from "../client/auth/auth-session.js";
import { openAccess } from "../client/connect-access.js";
import { defaultFetch } from "../client/default-fetch.js";
import { readGrpcAddress } from "../client/grpc-address.js";
import { openInterface } from "../client/open-interface.js";
import { parseUrl } from "../client/public-url.js";
import { pivot, type AgentCard } from "../versions/pivot.js";
import { readAuth } from "./auth-option.js";
import type { CliClient } from "./command.js";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import type { CallOptions } from "./options.js";

/** Binding names of agent cards by the value of `--binding`. */
const bindings = { jsonrpc: "JSONRPC", http: "HTTP+JSON", grpc: "GRPC" } as const;

/**
 * A client for the agent at `url`, whatever version it speaks: its card is read and an interface picked among those that
 * the options allow. With `--direct` the URL is the interface itself, of the newest version unless `--protocol` says
 * otherwise.
 */
export async function openClient(url: string, options: CallOptions, io: Io): Promise<CliClient> {
  const { header: headers, timeout, binding, protocol } = options;
  const grpc = binding === "grpc" ? (await import("../grpc.js")).grpc : undefined;
  const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
  const credentials = options.auth === undefined ? undefined : await readAuth(options.auth);
  if (options.direct) {
    if (credentials?.byCard === true)
      throw new CliFailure("--auth: credentials by scheme name need the card; not with --direct", 2);
    const session = credentials && createAuthSession(credentials.auth);
    const send = grpc === undefined ? session?.fetch(defaultFetch, [parseUrl(url).origin]) : undefined;
    const target = {
      url,
      protocolBinding: bindings[binding ?? "jsonrpc"],
      protocolVersion: protocol ?? pivot.version,
      assumed: false,
    };
    const transport = await openInterface(target, {
      headers,
      fetch: send,
      grpc: grpc && ((own) => session?.transport(grpc(own), readGrpcAddress(url).url) ?? grpc(own)),
    });
    const interceptors = session ? [session.interceptor] : [];
    return createClient(pivot, transport, { timeoutMs, mode: tolerant, interceptors });
  }
  const own: ConnectOptions = {
    headers,
    auth: credentials?.auth,
    headerOrigins: options.headerOrigin,
    timeoutMs,
    discoveryTimeoutMs: timeoutMs,
    signal: io.signal,
    ...(binding && { bindings: [bindings[binding]] }),
    grpc,
    ...(protocol !== undefined && { versions: [protocol] }),
  };
  return connect(url, own);
}

/** The card of the agent at `url`, with the headers and the deadline of the command line. */
export async function readCard(
  url: string,
  options: CallOptions,
  io: Io,
  onProblem?: CardOptions["onProblem"],
): Promise<AgentCard> {
  const auth = options.auth === undefined ? undefined : (await readAuth(options.auth)).auth;
  const access = await openAccess({ auth, headers: options.header });
  return access.find(parseUrl(url), io.signal, (fetch) =>
    fetchAgentCard(url, {
      fetch,
      signal: io.signal,
      onProblem,
      ...(options.header && { headers: options.header }),
      ...(options.timeout !== undefined && { timeoutMs: options.timeout * 1000 }),
    }),
  );
}
