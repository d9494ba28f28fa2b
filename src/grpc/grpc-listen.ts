import type { Server, ServerCredentials } from "@grpc/grpc-js";
import { createServer as createListener, type Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { notListening } from "../adapter/not-listening.js";
import { A2AError } from "../errors.js";
import { servingOf } from "../http/serving.js";
import type { GrpcListenOptions } from "../server/grpc-option.js";
import { grpcHealth } from "./health-service.js";
import { grpcServices, type GrpcServable } from "./grpc-services.js";
import { loadGrpc, type GrpcPackage } from "./load-grpc.js";
import { notPem } from "./not-pem.js";

/** A gRPC server that listens. */
export interface GrpcListening extends AsyncDisposable {
  /** `host:port`, as interfaces of cards name it. */
  readonly address: string;
  readonly port: number;
  readonly server: Server;
  /** Begins to answer; calls that come before are UNIMPLEMENTED. */
  serve(): void;
  /** Takes no more connections and calls; those under way go on. */
  stop(): void;
  /** Waits up to `graceMs` (default 1000) for open calls, then cuts their connections. */
  close(graceMs?: number): Promise<void>;
}

/** Milliseconds between pings on a silent connection, and until one without an answer is given up. */
const PING_MS = 60_000;
const PING_PATIENCE_MS = 20_000;

/**
 * Takes a port for the gRPC services of a server, with the health service. It answers once `serve` is called. Rejects with
 * `CONFIG` where the address cannot be had, and where the package is not installed.
 */
export async function bindGrpc(agent: GrpcServable, options: GrpcListenOptions = {}): Promise<GrpcListening> {
  const { port = 0, host = "127.0.0.1", credentials } = options;
  const { exchange } = servingOf(agent.handle);
  const grpc = await loadGrpc();
  const services = await grpcServices(agent);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": exchange.bodyLimit,
    "grpc.max_send_message_length": -1,
    "grpc.keepalive_time_ms": PING_MS,
    "grpc.keepalive_timeout_ms": PING_PATIENCE_MS,
    // Statistics of every message, which nobody asks for.
    "grpc.enable_channelz": 0,
    ...options.channelOptions,
  });
  const injector = server.createConnectionInjector(credentialsOf(grpc, credentials));
  // Connections are accepted here, because the package cuts those that do not end only with statistics switched on.
  const sockets = new Set<Socket>();
  const listener = createListener({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    injector.injectConnection(socket);
  });
  const actual = await new Promise<number>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      const bound = listener.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  }).catch((error: unknown) => {
    throw notListening(error, host, port);
  });
  let ended: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (ended ??= new Promise((resolve) => {
      listener.close(() => resolve());
      server.tryShutdown(() => undefined);
    }));
  const close = async (graceMs = 1000): Promise<void> => {
    const gone = stop();
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs);
    await gone;
    clearTimeout(timer);
  };
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    address: `${shownHost}:${String(actual)}`,
    port: actual,
    server,
    serve: () => {
      for (const { definition, implementation } of [...services, grpcHealth(agent, services)])
        server.addService(definition, implementation);
    },
    stop: () => void stop(),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Serves an agent over gRPC alone, on a port of its own; `serve(agent, { grpc })` does it beside the other bindings. */
export async function listenGrpc(
  agent: GrpcServable,
  options: GrpcListenOptions = {},
): Promise<GrpcListening> {
  const listening = await bindGrpc(agent, options);
  listening.serve();
  return listening;
}

function credentialsOf(grpc: GrpcPackage, given: GrpcListenOptions["credentials"]): ServerCredentials {
  if (given === undefined) return grpc.ServerCredentials.createInsecure();
  if (given instanceof grpc.ServerCredentials) return given;
  if (!("cert" in given)) {
    throw new A2AError(
      "CONFIG",
      "gRPC: credentials must be { cert, key } or ServerCredentials of @grpc/grpc-js",
    );
  }
  const { cert, key, ca } = given;
  const own = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) };
  try {
    // The package looks at them with the first connection only.
    createSecureContext({
      cert: own.cert_chain,
      key: own.private_key,
      ...(ca !== undefined && { ca: Buffer.from(ca) }),
    });
  } catch (error) {
    throw notPem(error);
  }
  return grpc.ServerCredentials.createSsl(ca === undefined ? null : Buffer.from(ca), [own], ca !== undefined);
}
