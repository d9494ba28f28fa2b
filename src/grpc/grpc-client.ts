import type { ChannelOptions, Client, Metadata, ServiceError } from "@grpc/grpc-js";
import type { Headers } from "../call.js";
import { mergeHeaders } from "../client/call-headers.js";
import { onAbort } from "../client/on-abort.js";
import type { Transport, TransportReply, TransportRequest, TransportStream } from "../client/transport.js";
import type { GrpcMethod } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { decodeMessage } from "../protobuf/decode-message.js";
import { encodeMessage } from "../protobuf/encode-message.js";
import { loadGrpcService } from "../versions/grpc-services.js";
import { addHeaders } from "./add-headers.js";
import { byteBuffer } from "./byte-buffer.js";
import { ClientEvents } from "./client-events.js";
import { fromGrpcError } from "./from-grpc-error.js";
import { readGrpcAddress } from "../client/grpc-address.js";
import { openChannel, type GrpcCredentials } from "./grpc-channel.js";
import { headersOf } from "./headers-of.js";
import { loadGrpc, type GrpcPackage } from "./load-grpc.js";
import { speakForms } from "./speak-forms.js";

/** Options of `grpc`. */
export interface GrpcOptions {
  /** `host:port`, as the agent card names it. */
  readonly address: string;
  /**
   * How the connection is protected. Default: TLS with the usual authorities, or none where the address is one of this
   * machine (A2A-7.1-a). `{ ca, cert, key }`: own certificates, as PEM.
   */
  readonly credentials?: GrpcCredentials | undefined;
  /** Sent with every call as metadata, below the headers of the client and of the call. */
  readonly headers?: Headers | undefined;
  /** Largest event of a stream, in bytes; default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Largest message at all, in bytes; default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** For 0.3 peers that write the bytes of a file as its base64 text. Default false. */
  readonly doubleBase64?: boolean | undefined;
  /** IP addresses to connect to instead of resolving the host: those that were checked. */
  readonly pinned?: readonly string[] | undefined;
  /** Further options of the package, which win: `{ "grpc.keepalive_time_ms": 60_000 }`. */
  readonly channelOptions?: ChannelOptions | undefined;
}

const MAX_EVENT_BYTES = 16 * 1024 * 1024;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A channel with what it was made with. */
interface Open {
  readonly grpc: GrpcPackage;
  readonly client: Client;
}

/**
 * gRPC, for `createClient(A2A, grpc({ address: "agent.example.com:443" }))` and `connect(url, { grpc })`. The channel is opened with
 * the first call and kept; `close` ends it. Headers travel as metadata. Throws `CONFIG` for an address that is none, calls
 * reject with `CONFIG` where `@grpc/grpc-js` is not installed.
 */
export function grpc(options: GrpcOptions): Transport {
  const address = readGrpcAddress(options.address);
  const { maxEventBytes = MAX_EVENT_BYTES, maxBodyBytes = MAX_BODY_BYTES } = options;
  const own = mergeHeaders(options.headers);
  let opening: Promise<Open> | undefined;
  let closed = false;

  async function open(): Promise<Open> {
    const grpc = await loadGrpc();
    const { credentials, pinned, channelOptions } = options;
    const settings = { address, credentials, pinned, maxBytes: maxBodyBytes, options: channelOptions };
    return { grpc, client: openChannel(grpc, settings) };
  }

  async function begin(request: TransportRequest) {
    if (closed) throw new A2AError("ABORTED", "The transport is closed");
    opening ??= open();
    const [{ grpc, client }, service] = await Promise.all([
      opening,
      loadGrpcService(request.service.version),
    ]);
    const wire = service && methodOf(service.methods, request);
    if (service === undefined || wire === undefined) throw notSpoken(request);
    if (request.signal.aborted) throw request.signal.reason;
    return {
      client,
      wire,
      path: `/${service.name}/${wire.name}`,
      bytes: byteBuffer(encodeMessage(wire.input, request.input, "request")),
      metadata: metadataOf(grpc, { ...own, ...request.headers }),
    };
  }

  const failure = ({ signal, service, methodName }: TransportRequest, error: ServiceError): Error =>
    signal.aborted ? (signal.reason as Error) : fromGrpcError(service, error, options.address, methodName);

  const wire: Transport = {
    binding: "GRPC",
    async unary(request): Promise<TransportReply> {
      const { client, path, bytes, metadata, wire } = await begin(request);
      return new Promise((resolve, reject) => {
        let headers: Headers = {};
        const limits = request.deadline === undefined ? {} : { deadline: request.deadline };
        const call = client.makeUnaryRequest(
          path,
          sameBytes,
          sameBytes,
          bytes,
          metadata,
          limits,
          (error, reply) => {
            stopWatching();
            if (error !== null) {
              reject(failure(request, error));
              return;
            }
            try {
              resolve({ output: decodeMessage(wire.output, reply ?? NOTHING), headers });
            } catch (wrong) {
              reject(A2AError.from(wrong));
            }
          },
        );
        call.on("metadata", (received) => {
          headers = headersOf(received);
        });
        const stopWatching = onAbort(request.signal, () => call.cancel());
      });
    },
    async stream(request): Promise<TransportStream> {
      const { client, path, bytes, metadata, wire } = await begin(request);
      const call = client.makeServerStreamRequest(path, sameBytes, sameBytes, bytes, metadata, {});
      const opened = new Promise<Headers>((resolve, reject) => {
        call.once("metadata", (received) => resolve(headersOf(received)));
        call.once("error", (error: ServiceError) => reject(failure(request, error)));
        call.once("status", () => resolve({}));
      });
      const events = new ClientEvents(call, {
        signal: request.signal,
        onProgress: request.onProgress,
        failure: (error) => failure(request, error as ServiceError),
        read: (event) => {
          if (event.length > maxEventBytes) throw tooLarge(maxEventBytes);
          return { data: decodeMessage(wire.output, event) };
        },
      });
      try {
        return { events, headers: await opened };
      } catch (error) {
        await events.return();
        throw error;
      }
    },
    async close() {
      closed = true;
      await opening?.then(
        ({ client }) => client.close(),
        // Calls have told why there is none.
        () => undefined,
      );
    },
  };
  return speakForms(wire, options.doubleBase64 ?? false);
}

const sameBytes = (bytes: Buffer): Buffer => bytes;
const NOTHING = new Uint8Array();

const methodOf = (
  methods: Readonly<Record<string, GrpcMethod>>,
  { methodName }: TransportRequest,
): GrpcMethod | undefined => (Object.hasOwn(methods, methodName) ? methods[methodName] : undefined);

function metadataOf(grpc: GrpcPackage, headers: Headers): Metadata {
  const metadata = new grpc.Metadata();
  const [left] = addHeaders(metadata, headers);
  if (left === undefined) return metadata;
  throw new A2AError(
    "CONFIG",
    `The header ${left} holds what gRPC metadata cannot carry: printable ASCII alone`,
  );
}

const notSpoken = ({ methodName, service }: TransportRequest): A2AError =>
  new A2AError("CONFIG", `${methodName} does not exist in gRPC of A2A ${service.version}`);

const tooLarge = (limit: number): A2AError =>
  new A2AError("PAYLOAD_TOO_LARGE", `An event exceeds maxEventBytes (${String(limit)})`);
