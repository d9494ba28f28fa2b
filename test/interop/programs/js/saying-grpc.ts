import { InterceptingCall, type CallOptions } from "@grpc/grpc-js";

/** Options of a gRPC call that says another version than its client does, on its way out. */
export const sayingGrpc = (version: string): Partial<CallOptions> => ({
  interceptors: [
    (options, next) =>
      new InterceptingCall(next(options), {
        start(metadata, listener, go) {
          metadata.set("a2a-version", version);
          go(metadata, listener);
        },
      }),
  ],
});
