/** `a2a-typed/grpc`: the gRPC binding, for Node; it needs `@grpc/grpc-js`. */
export { grpcServices, type AddableService, type GrpcServable } from "./grpc/grpc-services.js";
export { grpcHealth } from "./grpc/health-service.js";
export { listenGrpc, type GrpcListening, type GrpcListenOptions } from "./grpc/grpc-listen.js";
