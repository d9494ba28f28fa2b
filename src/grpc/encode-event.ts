import type { WireMessage } from "../descriptor.js";
import { JsonText } from "../json-text.js";
import { encodeMessage } from "../protobuf/encode-message.js";
import { byteBuffer } from "./byte-buffer.js";

/** An event as bytes, which all listeners of one version share. */
class EncodedEvent extends JsonText {
  readonly bytes: Buffer;

  constructor(bytes: Buffer, id: number | undefined) {
    super(undefined, id);
    this.bytes = bytes;
  }
}

/** Encodes the events of streams of one version: what comes as the text of an event, once for all who listen. */
export function eventEncoder(message: WireMessage): (event: unknown) => Buffer {
  const encode = (event: JsonText): EncodedEvent =>
    new EncodedEvent(byteBuffer(encodeMessage(message, event.value())), event.id);
  return (event) =>
    event instanceof JsonText ? event.form(message, encode).bytes : byteBuffer(encodeMessage(message, event));
}
