import { httpJson, jsonRpc, type Transport } from "a2a-typed";
import { grpc } from "a2a-typed/grpc";
import type { ClientArgs } from "../../matrix/contract.js";

/** Our transport of the binding that a pinned client is asked to speak, to the endpoint that it is told. */
export function transportTo({ binding, endpoint }: ClientArgs): Transport {
  switch (binding) {
    case "JSONRPC":
      return jsonRpc({ url: endpoint });
    case "HTTP+JSON":
      return httpJson({ url: endpoint });
    case "GRPC":
      return grpc({ address: endpoint });
  }
}
