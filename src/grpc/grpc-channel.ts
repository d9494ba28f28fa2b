import type { ChannelCredentials, ChannelOptions, Client } from "@grpc/grpc-js";
import { isIPv6 } from "node:net";
import type { TlsOptions } from "../client/tls-options.js";
import { A2AError } from "../errors.js";
import type { GrpcAddress } from "../client/grpc-address.js";
import type { GrpcPackage } from "./load-grpc.js";
import { notPem } from "./not-pem.js";

/** How a connection is protected: in the clear, over TLS, or with own certificates (mTLS); or what the package makes. */
export type GrpcCredentials =
  "insecure" | "tls" | Pick<TlsOptions, "ca" | "cert" | "key"> | ChannelCredentials;

/** What a channel is made of. */
export interface ChannelSettings {
  readonly address: GrpcAddress;
  /** Default: TLS, or none where the address is one of this machine. */
  readonly credentials?: GrpcCredentials | undefined;
  /** IP addresses to connect to instead of resolving the host. */
  readonly pinned?: readonly string[] | undefined;
  /** Largest reply or event, in bytes. */
  readonly maxBytes: number;
  readonly options?: ChannelOptions | undefined;
}

/** Milliseconds between attempts to connect: the first, and the longest. */
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 10_000;

/** Opens a channel, which connects with its first call, and again when it has lost its connection. */
export function openChannel(grpc: GrpcPackage, settings: ChannelSettings): Client {
  const { address, pinned, maxBytes } = settings;
  const name = address.host.includes(":") ? `[${address.host}]` : address.host;
  const authority = `${name}:${String(address.port)}`;
  return new grpc.Client(
    // Without its scheme, a host named `unix` would be a socket of this machine.
    pinned === undefined ? `dns:${authority}` : pinnedTarget(pinned, address.port),
    credentialsOf(grpc, settings),
    {
      "grpc.max_receive_message_length": maxBytes,
      "grpc.max_send_message_length": -1,
      "grpc.enable_channelz": 0,
      // A name is to be looked up for addresses alone.
      "grpc.service_config_disable_resolution": 1,
      "grpc.initial_reconnect_backoff_ms": FIRST_BACKOFF_MS,
      "grpc.max_reconnect_backoff_ms": LONGEST_BACKOFF_MS,
      ...(pinned !== undefined && {
        "grpc.default_authority": authority,
        "grpc.ssl_target_name_override": address.host,
      }),
      ...settings.options,
    },
  );
}

/** `ipv4:` and `ipv6:` name the addresses themselves; one target is of one family. */
function pinnedTarget(pinned: readonly string[], port: number): string {
  const six = pinned.filter(isIPv6);
  const four = pinned.filter((one) => !isIPv6(one));
  const list =
    four.length > 0 ? four.map((ip) => `${ip}:${String(port)}`) : six.map((ip) => `[${ip}]:${String(port)}`);
  return `${four.length > 0 ? "ipv4" : "ipv6"}:${list.join(",")}`;
}

function credentialsOf(grpc: GrpcPackage, { address, credentials }: ChannelSettings): ChannelCredentials {
  const given = credentials ?? (address.secure ? "tls" : "insecure");
  if (given === "insecure") return grpc.credentials.createInsecure();
  if (given === "tls") return grpc.credentials.createSsl();
  if (given instanceof grpc.ChannelCredentials) return given;
  const { ca, cert, key } = given;
  if ((cert === undefined) !== (key === undefined))
    throw new A2AError("CONFIG", "gRPC: credentials need both cert and key, or neither");
  try {
    return grpc.credentials.createSsl(pem(ca), pem(key), pem(cert));
  } catch (error) {
    throw notPem(error);
  }
}

const pem = (given: TlsOptions["ca"]): Buffer | null => {
  if (given === undefined) return null;
  const all = Array.isArray(given) ? given : [given];
  return Buffer.concat(all.map((one) => Buffer.from(one)));
};
