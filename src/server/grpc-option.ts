/** Certificate and key of a server, as PEM; with `ca`, clients must show a certificate that it has signed (mTLS). */
export interface GrpcServerTls {
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
  readonly ca?: string | Uint8Array;
}

/** `ServerCredentials` of `@grpc/grpc-js`. */
export interface GrpcServerCredentials {
  _isSecure(): boolean;
}

/** Where and how a gRPC server listens. */
export interface GrpcListenOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: none; what is sent is in the clear. */
  readonly credentials?: GrpcServerTls | GrpcServerCredentials;
  /** Further options of `@grpc/grpc-js`, which win: `{ "grpc.max_concurrent_streams": 100 }`. */
  readonly channelOptions?: Readonly<Record<string, string | number>>;
}

/** The `grpc` option of `serve`. */
export interface GrpcServeOptions extends GrpcListenOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** `host:port` as clients reach it, for the card. Default: the address that it listens on. */
  readonly url?: string;
}
