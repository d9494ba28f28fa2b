import { grpc as v10 } from "../../generated/v1.0/grpc.js";
import { grpc as v03 } from "../../generated/v0.3/proto/grpc.js";
import type { GrpcService } from "../../src/descriptor.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { validRequests } from "./valid-requests.js";

/** A call of gRPC before it is written. */
export interface GrpcDraft {
  readonly path: string;
  readonly version: string;
  readonly bytes: Uint8Array;
}

const message = {
  messageId: "m-1",
  role: "ROLE_USER",
  content: [
    { text: "hello" },
    { data: { data: { a: [1, null, { b: true }] } } },
    { file: { fileWithBytes: "aGk=" } },
  ],
  metadata: { trace: "1" },
};

/** Good calls of 1.0, as over JSON-RPC, and of 0.3. */
export function grpcDrafts(taskId: string): readonly GrpcDraft[] {
  const draft = (service: GrpcService, version: string, method: string, input: unknown): GrpcDraft[] => {
    const found = Object.values(service.methods).find(({ name }) => name === method);
    return found === undefined
      ? []
      : [{ path: `/${service.name}/${method}`, version, bytes: encodeMessage(found.input, input) }];
  };
  const rpc = validRequests("JSONRPC", taskId).map(({ json }) => json as { method: string; params: unknown });
  return [
    ...rpc.flatMap(({ method, params }) => draft(v10, "1.0", method, params)),
    ...draft(v03, "0.3", "SendMessage", { message, configuration: { blocking: true } }),
    ...draft(v03, "0.3", "SendStreamingMessage", { message }),
    ...draft(v03, "0.3", "GetTask", { name: `tasks/${taskId}`, historyLength: 1 }),
    ...draft(v03, "0.3", "CancelTask", { name: `tasks/${taskId}` }),
  ];
}
