/** `a2a-typed/grpc`: the gRPC binding, for Node; it needs `@grpc/grpc-js`. */
export { grpc, type GrpcOptions } from "./grpc/grpc-client.js";
export type { GrpcCredentials } from "./grpc/grpc-channel.js";
export { listenGrpc, type GrpcListening } from "./grpc/grpc-listen.js";
export { grpcServices, type AddableService, type GrpcServable } from "./grpc/grpc-services.js";
export { grpcHealth } from "./grpc/health-service.js";
export type { GrpcListenOptions, GrpcServerCredentials, GrpcServerTls } from "./server/grpc-option.js";
