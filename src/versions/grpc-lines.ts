/** The versions, or forms of them (`0.3/proto`), that gRPC speaks: newest first, loaded when asked for. */
export { grpcLines } from "../../generated/grpc-lines.js";
