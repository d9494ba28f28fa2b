import { A2AError } from "../errors.js";
import type { AuthSession } from "./auth/auth-session.js";
import type { ConnectGuard } from "./connect-guard.js";
import { readGrpcAddress } from "./grpc-address.js";
import type { GrpcOpener, GrpcTarget } from "./grpc-opener.js";
import type { Transport } from "./transport.js";

/** With what an interface over gRPC is called. */
export interface GrpcAccess {
  readonly guard: ConnectGuard | undefined;
  /** Shows credentials; undefined where there are none. */
  readonly session: AuthSession | undefined;
}

/** Opens an interface over gRPC: to addresses that the guard has checked, and with credentials. */
export async function openGrpc(
  open: GrpcOpener,
  target: GrpcTarget,
  { guard, session }: GrpcAccess,
): Promise<Transport> {
  if (session?.ownFetch === true) {
    throw new A2AError(
      "CONFIG",
      "connect: auth brings a certificate for HTTP; give it to gRPC: grpc: (target) => grpc({ ...target, credentials: { cert, key, ca } })",
    );
  }
  const { url } = readGrpcAddress(target.address);
  const pinned = await guard?.addresses?.(url);
  const transport = open({ ...target, ...(pinned && { pinned }) });
  return session === undefined ? transport : session.transport(transport, url);
}
