import { readGrpcAddress } from "../grpc-address.js";
import type { CardInterface } from "./card-interface.js";

/** Where an interface is, as a URL: that of gRPC is an address. Undefined where nobody could say. */
export function interfacePlace({ protocolBinding, url }: CardInterface): URL | undefined {
  try {
    return new URL(protocolBinding === "GRPC" ? readGrpcAddress(url).url : url);
  } catch {
    return undefined;
  }
}
