import type { ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { ServedVersion } from "../binding/served-version.js";
import type { GrpcMethod, GrpcService } from "../descriptor.js";
import type { HttpHandler } from "../http/types.js";
import { servingOf, type Serving } from "../http/serving.js";
import { loadGrpcService } from "../versions/grpc-services.js";
import { streamHandler, unaryHandler } from "./call-handlers.js";
import { eventEncoder } from "./encode-event.js";
import type { MethodVersion, ServedMethod } from "./grpc-method.js";
import { loadGrpc, type GrpcPackage } from "./load-grpc.js";

/** What can be served: the server of `createServer` or `serve`, or a router of `createRouter`. */
export interface GrpcServable {
  readonly handle: HttpHandler;
}

/** A service as a server of `@grpc/grpc-js` takes it: `grpcServer.addService(definition, implementation)`. */
export interface AddableService {
  /** With its package: `lf.a2a.v1.A2AService`. */
  readonly name: string;
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/** A version that is served, as gRPC speaks it. */
interface Line {
  readonly version: ServedVersion;
  readonly service: GrpcService;
}

/**
 * The gRPC services of a server, one for each package of its versions (A2A-10.1-a), for one's own server of `@grpc/grpc-js`:
 * `for (const { definition, implementation } of await grpcServices(agent)) own.addService(definition, implementation)`.
 * They share checks, limits, telemetry and the end of the server with its other bindings. Versions that gRPC does not speak
 * are left out. Throws `CONFIG` where the package is not installed.
 */
export async function grpcServices(server: GrpcServable): Promise<readonly AddableService[]> {
  const serving = servingOf(server.handle);
  const grpc = await loadGrpc();
  const byName = new Map<string, Line[]>();
  for (const version of serving.exchange.versions.all) {
    const service = await loadGrpcService(version.version);
    if (service === undefined) continue;
    const lines = byName.get(service.name);
    if (lines === undefined) byName.set(service.name, [{ version, service }]);
    else lines.push({ version, service });
  }
  return [...byName].map(([name, lines]) => serviceOf(name, lines, serving, grpc));
}

function serviceOf(
  name: string,
  lines: readonly Line[],
  serving: Serving,
  grpc: GrpcPackage,
): AddableService {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  const keys = new Set(lines.flatMap(({ service }) => Object.keys(service.methods)));
  for (const methodName of keys) {
    const [first, ...others] = lines.flatMap(({ version, service }) => {
      const wire = Object.hasOwn(service.methods, methodName) ? service.methods[methodName] : undefined;
      return wire === undefined ? [] : [methodVersion(version, wire)];
    });
    if (first === undefined) continue;
    const { name: rpc, serverStream } = first.wire;
    const path = `/${name}/${rpc}`;
    const of: ServedMethod = { grpc, serving, methodName, versions: [first, ...others] };
    definition[rpc] = {
      path,
      // Only so is a handler called before the message is read.
      requestStream: true,
      responseStream: serverStream,
      requestSerialize: sameBytes,
      requestDeserialize: sameBytes,
      responseSerialize: sameBytes,
      responseDeserialize: sameBytes,
    };
    implementation[rpc] = serverStream ? streamHandler(of) : unaryHandler(of);
  }
  return { name, definition, implementation };
}

const methodVersion = (version: ServedVersion, wire: GrpcMethod): MethodVersion => ({
  version,
  wire,
  encode: eventEncoder(wire.output),
});

const sameBytes = (bytes: Buffer): Buffer => bytes;
