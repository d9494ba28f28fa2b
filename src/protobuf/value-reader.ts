import type { WireEnum, WireField, WireMessage } from "../descriptor.js";
import { readList, readStruct, readValue } from "./read-json.js";
import { readScalar, readSeconds } from "./read-scalar.js";
import { type Instant, instantOf, textOfInstant } from "./timestamp.js";
import type { WireReader } from "./wire-reader.js";

/** Reads one value after its tag; `earlier` is the value of the field so far. */
export type ReadValue = (reader: WireReader, level: number, earlier?: unknown) => unknown;

/** Reads the inside of a message. */
export type ReadMessage = (
  message: WireMessage,
  reader: WireReader,
  level: number,
  earlier?: unknown,
) => unknown;

/** How the values of a field are read; messages by `readMessage`. */
export function valueReader(field: WireField, readMessage: ReadMessage): ReadValue {
  switch (field.type) {
    case "message": {
      let message: WireMessage | undefined;
      return nested((reader, level, earlier) =>
        readMessage((message ??= field.of()), reader, level, earlier),
      );
    }
    case "enum": {
      const name = nameOf(field.of());
      return (reader) => name(reader.uint32() | 0);
    }
    case "struct":
      return nested(readStruct);
    case "value":
      return nested(readValue);
    case "listValue":
      return nested(readList);
    case "timestamp":
      return nested(readTimestamp);
    default: {
      const { type } = field;
      return (reader) => readScalar(type, reader);
    }
  }
}

const nested =
  (read: ReadValue): ReadValue =>
  (reader, level, earlier) => {
    const limit = reader.enter();
    const value = read(reader, level, earlier);
    reader.leave(limit);
    return value;
  };

/** The instant that was read last: a field that comes a million times must not be parsed as often. */
let last: { readonly text: string; readonly instant: Instant } = {
  text: "1970-01-01T00:00:00Z",
  instant: { seconds: 0, nanos: 0 },
};

function readTimestamp(reader: WireReader, _: number, earlier?: unknown): unknown {
  // Nothing is added.
  if (earlier !== undefined && reader.at === reader.limit) return earlier;
  let { seconds, nanos }: Instant =
    earlier === undefined
      ? { seconds: 0, nanos: 0 }
      : earlier === last.text
        ? last.instant
        : instantOf(earlier);
  while (reader.at < reader.limit) {
    const tag = reader.tag();
    if (tag === 8) seconds = readSeconds(reader);
    else if (tag === 16) nanos = reader.uint32() | 0;
    else reader.skip(tag);
  }
  const instant = { seconds, nanos };
  const text = textOfInstant(instant);
  last = { text, instant };
  return text;
}

/** The name of a number; the number where it has none, for the table to judge (`A2A-PJ-f`). */
function nameOf({ values }: WireEnum): (number: number) => string | number {
  const names = new Map(Object.entries(values).map(([name, number]) => [number, name]));
  return (number) => names.get(number) ?? number;
}
