import { invoke, type Invocation } from "../binding/invoke.js";
import type { Authenticated } from "../binding/server-types.js";
import { VERSION_HEADER } from "../binding/version.js";
import type { Headers, Reply } from "../call.js";
import type { ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { UNNAMED } from "../http/unnamed-call.js";
import { decodeMessage } from "../protobuf/decode-message.js";
import type { ObservedCall } from "../telemetry/types.js";
import { addHeaders } from "./add-headers.js";
import type { ByteCall, GrpcIncoming } from "./grpc-incoming.js";
import type { MethodVersion, ServedMethod } from "./grpc-method.js";
import { readMessage } from "./read-message.js";
import { toGrpcStatus, type GrpcRefusal } from "./to-grpc-status.js";

/** A call that was answered: its reply in the form of the version, and how a later failure of it is told. */
export interface Answered {
  readonly reply: Reply;
  readonly version: MethodVersion;
  readonly observed: ObservedCall | undefined;
  readonly refuse: (error: unknown) => Promise<GrpcRefusal>;
}

/**
 * One call, in the order of every binding: what is too much → version → authentication → message → the call itself. Nothing of
 * the message is read before. `problem` is why it cannot be served at all. Never rejects.
 */
export async function serveCall(
  of: ServedMethod,
  call: ByteCall,
  incoming: GrpcIncoming,
  problem: A2AError | undefined,
): Promise<Answered | GrpcRefusal> {
  const { exchange } = of.serving;
  let service: ServiceDescriptor | undefined;
  let where = UNNAMED;
  let auth: Authenticated | undefined;
  let invocation: Invocation | undefined;
  const observed = exchange.telemetry?.current?.call("GRPC", incoming.headers);

  const tell = async (refusal: A2AError): Promise<GrpcRefusal> => {
    observed?.end(refusal.reason);
    const shape = await exchange.errorsOf(service, refusal);
    const trailers = new of.grpc.Metadata();
    if (invocation?.echo !== undefined) trailers.set(shape.headers.extensions, invocation.echo);
    return toGrpcStatus(shape, refusal, trailers);
  };

  try {
    const early = problem ?? of.serving.problemOf(incoming);
    if (early !== undefined) throw early;
    const version = chosen(of, incoming);
    const loading = version.version.rest();
    const { target } = loading instanceof Promise ? await loading : loading;
    service = target.service;
    const method = Object.hasOwn(service.methods, of.methodName) ? service.methods[of.methodName] : undefined;
    if (method === undefined) throw notServed(version.wire.name);
    where = method.name;
    observed?.named(where, service.version);
    if (exchange.authenticate) auth = await exchange.authenticate(incoming);
    if (exchange.limit) await exchange.limit(incoming, auth, where);
    const bytes = await readMessage(call, exchange.bodyLimit);
    invocation = {
      target,
      methodName: of.methodName,
      method,
      input: decodeMessage(version.wire.input, bytes, "request"),
      incoming,
      auth,
      card: exchange.card,
      observed,
    };
    const reply = await invoke(invocation);
    exchange.audit?.(incoming, where, auth?.principal, "ok");
    sendHeaders(of, call, reply.headers);
    const refuse = (error: unknown): Promise<GrpcRefusal> => tell(exchange.refusal(error, where, incoming));
    return { reply, version, observed, refuse };
  } catch (error) {
    const refusal = exchange.refusal(error, where, incoming);
    exchange.audit?.(incoming, where === UNNAMED ? undefined : where, auth?.principal, refusal.reason);
    return tell(refusal);
  }
}

/** The version that the caller means; one that the package of its path does not have is refused. */
function chosen({ serving, versions }: ServedMethod, { headers, url }: GrpcIncoming): MethodVersion {
  const raw = headers[VERSION_HEADER];
  const known = serving.exchange.versions;
  const choice = known.select(raw);
  if (!choice.explicit) return versions[0];
  const found = versions.find(({ version }) => version === choice.version);
  if (found === undefined) throw notOfPackage(raw, url, versions);
  return found;
}

/** What the agent speaks elsewhere is no help here: the path says which generation is called. */
function notOfPackage(raw = "", path: string, versions: readonly MethodVersion[]): A2AError {
  const names = versions.map(({ version }) => version.version).join(", ");
  return new A2AError(
    "VERSION_NOT_SUPPORTED",
    `Protocol version ${raw.trim().slice(0, 32)} is not spoken by ${path.split("/")[1] ?? path} (it speaks ${names}); each generation has a service of its own`,
    { code: -32009, metadata: { supportedVersions: names } },
  );
}

const notServed = (name: string): A2AError =>
  new A2AError("METHOD_NOT_FOUND", `${name} is not served here`, { code: -32601 });

/** Headers of a reply, before its first message; where there are none the package sends its own. */
function sendHeaders({ grpc }: ServedMethod, call: ByteCall, headers: Headers): void {
  if (Object.keys(headers).length === 0) return;
  const metadata = new grpc.Metadata();
  addHeaders(metadata, headers);
  call.sendMetadata(metadata);
}
