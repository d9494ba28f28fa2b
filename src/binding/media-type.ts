import { A2AError } from "../errors.js";

/** True for `application/json` and every `+json` type, whatever the parameters. */
export function isJsonType(contentType: string): boolean {
  if (contentType === "application/json" || contentType === "application/a2a+json") return true;
  return /^application\/(?:json|[\w.+-]*\+json)$/.test(essence(contentType));
}

/** Whether an `Accept` takes nothing but event streams, as those of several SDKs do when they ask for a stream. */
export const takesOnlyEvents = (accept: string | undefined): boolean =>
  accept !== undefined && accept.split(",").every((range) => essence(range) === "text/event-stream");

/** The refusal of a body that does not claim to be JSON (decided before it is read). */
export function refuseMediaType(contentType: string, wanted: string): A2AError {
  return new A2AError(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `Request content type ${essence(contentType).slice(0, 80)} is not supported: send ${wanted}`,
    { code: -32005 },
  );
}

/**
 * Media type of an HTTP+JSON reply: the best JSON type that `Accept` names, else the type of the request body, else
 * the one of the service. An `Accept` that allows no JSON at all is passed over: an error nobody can read helps nobody.
 */
export function replyType(
  accept: string | undefined,
  contentType: string | undefined,
  preferred: string,
): string {
  if (accept !== undefined && accept !== "*/*" && accept !== "") {
    const best = bestOf(accept, preferred);
    if (best !== undefined) return best;
  }
  const own = contentType === undefined ? "" : essence(contentType);
  return own === "application/json" || own === preferred ? own : preferred;
}

const essence = (mediaType: string): string =>
  mediaType === "application/json" ? mediaType : (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();

const bestOf = (accept: string, preferred: string): string | undefined => {
  let best: string | undefined;
  let weight = 0;
  for (const range of accept.split(",")) {
    const type = essence(range);
    if (type !== "application/json" && type !== preferred) continue;
    const q = /;\s*q\s*=\s*([\d.]+)/i.exec(range)?.[1];
    const value = q === undefined ? 1 : Number(q);
    if (value > weight) {
      best = type;
      weight = value;
    }
  }
  return best;
};
