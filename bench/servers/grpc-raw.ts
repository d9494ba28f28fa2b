/**
 * The floor: a service of @grpc/grpc-js written by hand for the same messages, with the same codec and the same options, that
 * keeps finished tasks in a map, for GetTask, and checks nothing.
 */
import * as grpc from "@grpc/grpc-js";
import { randomUUID } from "node:crypto";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import { loadGrpcService } from "../../src/versions/grpc-services.js";
import { announce, askedEvents, breath, tokenOf } from "./grpc-contract.js";

const service = await loadGrpcService("1.0");
if (service === undefined) throw new Error("gRPC does not speak 1.0");
const { sendMessage, sendStreamingMessage } = service.methods;
if (sendMessage === undefined || sendStreamingMessage === undefined) throw new Error("Methods are missing");

interface Sent {
  readonly message: {
    readonly messageId: string;
    readonly role: string;
    readonly parts: readonly { text: string }[];
  };
}
const tasks = new Map<string, object>();
const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const definition = ({ name, input, output, serverStream }: typeof sendMessage) => ({
  path: `/${service.name}/${name}`,
  requestStream: false,
  responseStream: serverStream,
  requestSerialize: (value: object) => buffer(encodeMessage(input, value)),
  requestDeserialize: (bytes: Buffer) => decodeMessage(input, bytes, "request") as Sent,
  responseSerialize: (value: object) => buffer(encodeMessage(output, value)),
  responseDeserialize: (bytes: Buffer) => decodeMessage(output, bytes),
});

const begin = ({ message }: Sent, state: string) => {
  const id = randomUUID();
  const contextId = randomUUID();
  return {
    id,
    contextId,
    status: { state, timestamp: new Date().toISOString() },
    history: [{ ...message, taskId: id, contextId }],
  };
};

function answerOf(sent: Sent): object {
  const task = begin(sent, "TASK_STATE_COMPLETED");
  const text = `echo: ${sent.message.parts[0]?.text ?? ""}`;
  const done = { ...task, artifacts: [{ artifactId: randomUUID(), parts: [{ text }] }] };
  tasks.set(task.id, done);
  return { task: done };
}

async function stream(call: grpc.ServerWritableStream<Sent, object>): Promise<void> {
  const task = begin(call.request, "TASK_STATE_SUBMITTED");
  const { id: taskId, contextId } = task;
  const write = (event: object): Promise<unknown> | undefined =>
    call.write(event) ? undefined : new Promise((resolve) => call.once("drain", resolve));
  await write({ task });
  const artifactId = randomUUID();
  const parts: { readonly text: string }[] = [];
  const count = askedEvents(call.request.message.parts[0]?.text ?? "");
  for (let n = 0; n < count; n++) {
    const part = { text: tokenOf(n) };
    parts.push(part);
    const artifact = { artifactId, name: "echo", parts: [part] };
    await write({ artifactUpdate: { taskId, contextId, artifact, append: n > 0, lastChunk: false } });
    await breath(n);
  }
  const status = { state: "TASK_STATE_COMPLETED", timestamp: new Date().toISOString() };
  tasks.set(taskId, { ...task, status, artifacts: [{ artifactId, name: "echo", parts }] });
  await write({ statusUpdate: { taskId, contextId, status } });
  call.end();
}

const server = new grpc.Server({ "grpc.enable_channelz": 0 });
server.addService(
  { SendMessage: definition(sendMessage), SendStreamingMessage: definition(sendStreamingMessage) },
  {
    SendMessage: (call: grpc.ServerUnaryCall<Sent, object>, answer: grpc.sendUnaryData<object>) =>
      answer(null, answerOf(call.request)),
    SendStreamingMessage: (call: grpc.ServerWritableStream<Sent, object>) => void stream(call),
  },
);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  announce(`127.0.0.1:${String(port)}`);
});
