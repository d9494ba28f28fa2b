import { decode } from "../codec/decode.js";
import { isObject } from "../codec/json.js";
import { tolerant } from "../codec/tolerant.js";
import type { Bridge } from "../convert/types.js";
import { TakeMapped } from "./take-mapped.js";
import type { Transport, TransportEvent, TransportRequest } from "./transport.js";

/**
 * A transport for peers that answer in the shapes of an older version: `load` gives the bridge to that version, with the
 * first such answer. Each is reported.
 */
export function readLegacyPayloads(inner: Transport, load: () => Promise<Bridge>): Transport {
  async function read({ methodName, onWarning }: TransportRequest, raw: unknown): Promise<unknown> {
    if (!isLegacy(raw)) return raw;
    const bridge = await load();
    const found = bridge.byNearName.get(methodName);
    if (!found) return raw;
    const { version } = bridge.far;
    const own = bridge.near.version;
    onWarning?.({ code: "legacy-payload", message: `A payload of A2A ${version} on an interface of ${own}` });
    return found.output.up(decode<unknown>(found.far.output, raw, { direction: "reply", mode: tolerant }));
  }

  const events = (source: AsyncIterable<TransportEvent>, request: TransportRequest) =>
    new TakeMapped<TransportEvent, TransportEvent>(source, {
      value: (event) =>
        isLegacy(event.data) ? read(request, event.data).then((data) => ({ ...event, data })) : event,
    });

  return {
    ...inner,
    async unary(request) {
      const reply = await inner.unary(request);
      return { ...reply, output: await read(request, reply.output) };
    },
    async stream(request) {
      const stream = await inner.stream(request);
      return { ...stream, events: events(stream.events, request) };
    },
  };
}

/** Marks that no value of a later version bears. */
const isLegacy = (raw: unknown): boolean =>
  Array.isArray(raw) ||
  (isObject(raw) && (typeof raw["kind"] === "string" || isObject(raw["pushNotificationConfig"])));
