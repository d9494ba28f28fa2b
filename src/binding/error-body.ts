/** `A2AError` to and from the wire; each half is a file of its own, so that a client does not carry the server's. */
export { fromRpcError, type ErrorCarrier } from "./from-rpc-error.js";
export { fromStatusBody } from "./from-status-body.js";
export { rpcHttpStatus, toRpcError, type RpcError } from "./to-rpc-error.js";
export { toStatusBody, type StatusBody } from "./to-status-body.js";
