import type { FetchResponse } from "../client/fetch-like.js";
import { networkError } from "../client/http-send.js";
import type { TransportEvent, TransportRequest } from "../client/transport.js";
import { A2AError } from "../errors.js";
import type { EventBody } from "./event-stream-client.js";

/** The events of a reply; the reader of event streams is loaded with the first. */
export async function openEvents(
  response: FetchResponse,
  { signal, onProgress }: TransportRequest,
  how: Pick<EventBody, "maxEventBytes" | "parse" | "mislabelled">,
): Promise<AsyncIterable<TransportEvent>> {
  const { streamEvents } = await import("./event-stream-client.js");
  return streamEvents({
    ...how,
    body: response.body?.getReader(),
    onProgress,
    A2AError,
    broken: (cause) => networkError(signal, "The connection broke in the middle of a reply", cause),
  });
}
