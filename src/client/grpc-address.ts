import { A2AError } from "../errors.js";

/** Where a gRPC server is. */
export interface GrpcAddress {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Over TLS, unless credentials say otherwise. */
  readonly secure: boolean;
  /** As a URL, for checks that know hosts and ports by URLs: `https://grpc.example.com:443`. */
  readonly url: string;
}

const SCHEMES: Readonly<Record<string, boolean | undefined>> = {
  http: false,
  grpc: false,
  https: true,
  grpcs: true,
  dns: undefined,
};

/**
 * Reads the address of an interface: `host:port` as the specification writes it, or a URL of the same, which some cards have.
 * Without a scheme, loopback addresses are spoken to in the clear and all others over TLS (A2A-7.1-a). Without a port it is
 * 443, or 80 in the clear. Throws `CONFIG`.
 */
export function readGrpcAddress(text: string): GrpcAddress {
  const [, scheme, rest = ""] = /^(?:([a-z]+):\/{2,3})?(.*?)\/?$/i.exec(text.trim()) ?? [];
  const known = scheme === undefined || Object.hasOwn(SCHEMES, scheme.toLowerCase());
  // As a URL of a scheme without a port of its own, so that none is left out.
  const url = URL.canParse(`grpc://${rest}`) ? new URL(`grpc://${rest}`) : undefined;
  if (!known || !url || url.hostname === "" || /[/?#@]/.test(rest)) {
    throw new A2AError("CONFIG", `gRPC: ${JSON.stringify(text)} is no address; expected host:port`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = SCHEMES[scheme?.toLowerCase() ?? ""] ?? !isLoopback(host);
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return { host, port, secure, url: `http${secure ? "s" : ""}://${url.hostname}:${String(port)}` };
}

const isLoopback = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|::1)$/i.test(host);
