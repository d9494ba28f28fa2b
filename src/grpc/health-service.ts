import type { ServerUnaryCall, ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import type { WireEnum, WireMessage } from "../descriptor.js";
import { servingOf } from "../http/serving.js";
import { decodeMessage } from "../protobuf/decode-message.js";
import { encodeMessage } from "../protobuf/encode-message.js";
import { byteBuffer } from "./byte-buffer.js";
import type { AddableService, GrpcServable } from "./grpc-services.js";
import { statusCodes } from "./status-code.js";

const HealthCheckRequest: WireMessage = {
  name: "grpc.health.v1.HealthCheckRequest",
  fields: [{ no: 1, name: "service", type: "string", always: true }],
};

const ServingStatus: WireEnum = {
  name: "grpc.health.v1.HealthCheckResponse.ServingStatus",
  values: { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 },
};

const HealthCheckResponse: WireMessage = {
  name: "grpc.health.v1.HealthCheckResponse",
  fields: [{ no: 1, name: "status", type: "enum", of: () => ServingStatus }],
};

const unknownService: { readonly code: number; readonly details: string } = {
  code: statusCodes["NOT_FOUND"] ?? 5,
  details: "There is no such service",
};

/** A `HealthCheckRequest`. */
interface Asked {
  readonly service: string;
}

type Status = "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";

const answers = new Map(
  (["SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const).map((status) => [
    status,
    byteBuffer(encodeMessage(HealthCheckResponse, { status })),
  ]),
);

/**
 * The health service (`grpc.health.v1.Health`), without authentication: SERVING as long as the store answers, NOT_SERVING
 * from the moment at which the server begins to end; whoever watches is told that, and the watch ends. It knows the names of
 * `services`, and `""` for the server as a whole.
 */
export function grpcHealth(
  server: GrpcServable,
  services: readonly Pick<AddableService, "name">[],
): AddableService {
  const { state, readiness } = servingOf(server.handle);
  const known = new Set(["", ...services.map(({ name }) => name)]);
  const now = async (service: string): Promise<Status> => {
    if (!known.has(service)) return "SERVICE_UNKNOWN";
    return (await readiness()) === "ok" ? "SERVING" : "NOT_SERVING";
  };

  const check = (call: ServerUnaryCall<Asked, Status>, answer: sendUnaryData<Status>): void => {
    void now(call.request.service).then((status) => {
      if (status !== "SERVICE_UNKNOWN") answer(null, status);
      else answer(unknownService);
    });
  };

  const watch = (call: ServerWritableStream<Asked, Status>): void => {
    const stop = state.onDrain(() => {
      if (known.has(call.request.service)) call.write("NOT_SERVING");
      call.end();
    });
    call.once("cancelled", stop);
    void now(call.request.service).then((status) => {
      if (call.cancelled || call.writableEnded) return;
      call.write(status);
      if (state.draining) call.end();
    });
  };

  const method = (name: string, responseStream: boolean) => ({
    path: `/grpc.health.v1.Health/${name}`,
    requestStream: false,
    responseStream,
    requestSerialize: (asked: Asked) => byteBuffer(encodeMessage(HealthCheckRequest, asked)),
    // The package takes what is falsy for no message.
    requestDeserialize: (bytes: Buffer) => decodeMessage(HealthCheckRequest, bytes, "request") as Asked,
    responseSerialize: (status: Status) => answers.get(status) ?? Buffer.alloc(0),
    responseDeserialize: (bytes: Buffer) => decodeMessage(HealthCheckResponse, bytes),
  });

  return {
    name: "grpc.health.v1.Health",
    definition: { Check: method("Check", false), Watch: method("Watch", true) },
    implementation: { Check: check, Watch: watch },
  };
}
