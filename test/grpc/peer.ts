/** A caller of gRPC that knows nothing of the library but its wire tables, so that tests see what is on the wire. */
import * as grpc from "@grpc/grpc-js";
import type { GrpcService } from "../../src/descriptor.js";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { isObject } from "../../src/codec/json.js";
import { RpcStatus } from "../../src/grpc/rpc-messages.js";
import { unpackDetail } from "../../src/grpc/any-details.js";
import type { ErrorDetail } from "../../src/binding/error-details.js";
import { loadGrpcService } from "../../src/versions/grpc-services.js";

/** How one call came out. */
export interface Seen {
  readonly code: number;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
  readonly result?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  readonly events: readonly any[];
  readonly headers: grpc.Metadata;
  readonly trailers: grpc.Metadata;
  /** Of the `google.rpc.Status` in the trailers. */
  readonly details: readonly ErrorDetail[];
  /** Code and message there. */
  readonly status: { readonly code?: number; readonly message?: string } | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** A caller with one channel. */
export interface Peer {
  readonly client: grpc.Client;
  readonly service: GrpcService;
  unary(operation: string, input: unknown, headers?: Headers, options?: grpc.CallOptions): Promise<Seen>;
  /** Reads a stream to its end. */
  stream(operation: string, input: unknown, headers?: Headers, options?: grpc.CallOptions): Promise<Seen>;
  /** A stream that nobody reads yet. */
  open(operation: string, input: unknown, headers?: Headers): grpc.ClientReadableStream<Buffer>;
  /** One message of a stream. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  read(operation: string, bytes: Buffer): any;
  /** Sends bytes as they are. */
  raw(operation: string, bytes: Buffer, headers?: Headers): Promise<Seen>;
  close(): void;
}

const same = (bytes: Buffer): Buffer => bytes;

export async function peer(
  address: string,
  version = "1.0",
  credentials = grpc.credentials.createInsecure(),
  options: grpc.ClientOptions = {},
): Promise<Peer> {
  const client = new grpc.Client(address, credentials, options);
  const service = await loadGrpcService(version);
  if (service === undefined) throw new Error(`gRPC does not speak ${version}`);
  const methods = new Map(Object.values(service.methods).map((method) => [method.name, method]));
  const of = (operation: string) => {
    const method = methods.get(operation);
    if (method === undefined) throw new Error(`There is no ${operation}`);
    return method;
  };
  const metadata = (headers: Headers): grpc.Metadata => {
    const all = new grpc.Metadata();
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return all;
  };
  const encode = (operation: string, input: unknown): Buffer =>
    Buffer.from(encodeMessage(of(operation).input, input));
  const open = (operation: string, bytes: Buffer, headers: Headers, how: grpc.CallOptions = {}) =>
    client.makeServerStreamRequest(
      `/${service.name}/${operation}`,
      same,
      same,
      bytes,
      metadata(headers),
      how,
    );

  const collect = (operation: string, call: grpc.ClientReadableStream<Buffer>): Promise<Seen> =>
    new Promise((resolve) => {
      const events: unknown[] = [];
      let headers = new grpc.Metadata();
      call.on("metadata", (received) => (headers = received));
      call.on("data", (bytes: Buffer) => events.push(decodeMessage(of(operation).output, bytes)));
      call.on("error", () => undefined);
      call.on("status", ({ code, details: text, metadata: trailers }) =>
        resolve({ code, text, events, headers, trailers, result: events[0], ...statusOf(trailers) }),
      );
    });

  return {
    client,
    service,
    // On the wire a unary call is a stream of one message.
    unary: (operation, input, headers = {}, how) =>
      collect(operation, open(operation, encode(operation, input), headers, how)),
    stream: (operation, input, headers = {}, how) =>
      collect(operation, open(operation, encode(operation, input), headers, how)),
    open: (operation, input, headers = {}) => open(operation, encode(operation, input), headers),
    read: (operation, bytes) => decodeMessage(of(operation).output, bytes),
    raw: (operation, bytes, headers = {}) => collect(operation, open(operation, bytes, headers)),
    close: () => client.close(),
  };
}

function statusOf(trailers: grpc.Metadata): Pick<Seen, "details" | "status"> {
  const [bytes] = trailers.get("grpc-status-details-bin");
  if (!(bytes instanceof Buffer)) return { details: [], status: undefined };
  const status = decodeMessage(RpcStatus, bytes) as Seen["status"] & { details?: unknown };
  const packed = Array.isArray(status.details) ? (status.details as unknown[]) : [];
  const details = packed.flatMap((one) =>
    isObject(one) ? (unpackDetail(one as unknown as Parameters<typeof unpackDetail>[0]) ?? []) : [],
  );
  return { details, status };
}

/** Headers of a caller of 1.0. */
export const V1 = { "a2a-version": "1.0" };
