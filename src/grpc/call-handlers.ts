import type { ServerDuplexStream, ServerReadableStream, sendUnaryData } from "@grpc/grpc-js";
import type { A2AError } from "../errors.js";
import { busy } from "../http/refused-early.js";
import { JsonText } from "../json-text.js";
import { encodeMessage } from "../protobuf/encode-message.js";
import { byteBuffer } from "./byte-buffer.js";
import { EventPump } from "./event-pump.js";
import { GrpcIncoming } from "./grpc-incoming.js";
import type { ServedMethod } from "./grpc-method.js";
import { serveCall } from "./serve-call.js";

/**
 * Serves a method of one reply. For the package it takes a stream of messages: such a handler is called before the message
 * is read, so that credentials are looked at first. On the wire there is no difference.
 */
export const unaryHandler =
  (of: ServedMethod) =>
  (call: ServerReadableStream<Buffer, Buffer>, answer: sendUnaryData<Buffer>): void => {
    const incoming = new GrpcIncoming(call);
    call.once("cancelled", () => incoming.abort());
    const { slots } = of.serving;
    const full = slots?.take() === false;
    const run = async (): Promise<void> => {
      const result = await serveCall(of, call, incoming, problemOf(full));
      if ("code" in result) {
        answer(result);
        return;
      }
      const { reply, version, observed, refuse } = result;
      try {
        const bytes = byteBuffer(encodeMessage(version.wire.output, valueOf(reply.output)));
        observed?.end();
        answer(null, bytes);
      } catch (error) {
        answer(await refuse(error));
      }
    };
    void run().finally(() => {
      if (!full) slots?.release();
    });
  };

/** Serves a method whose reply is a stream; as `unaryHandler`, before the message is read. */
export const streamHandler =
  (of: ServedMethod) =>
  (call: ServerDuplexStream<Buffer, Buffer>): void => {
    const incoming = new GrpcIncoming(call);
    let pump: EventPump | undefined;
    call.once("cancelled", () => {
      incoming.abort();
      pump?.closed();
    });
    const { slots, streams } = of.serving;
    const full = slots?.take() === false;
    const release = (): void => {
      if (!full) slots?.release();
    };
    const run = async (): Promise<void> => {
      const result = await serveCall(of, call, incoming, problemOf(full));
      if ("code" in result) {
        release();
        call.emit("error", result);
        return;
      }
      const { reply, version, observed, refuse } = result;
      observed?.streams();
      // Callers learn that they were let in before there is anything to say.
      call.sendMetadata(new of.grpc.Metadata());
      pump = new EventPump(call, reply.output as AsyncIterable<unknown>, {
        encode: version.encode,
        mayBeEmpty: incoming.headers["last-event-id"] !== undefined,
        failed: (error) => void refuse(error).then((refused) => call.emit("error", refused)),
        ended: (stream) => {
          streams.ended(stream);
          release();
          observed?.end();
        },
      });
      streams.add(pump);
      if (call.cancelled) pump.closed();
      else pump.start();
    };
    void run();
  };

const problemOf = (full: boolean): A2AError | undefined => (full ? busy() : undefined);

/** The value of a reply; nothing is an empty message. */
const valueOf = (output: unknown): unknown => {
  if (output === undefined || output === null) return {};
  return output instanceof JsonText ? output.value() : output;
};
