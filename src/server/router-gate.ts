import type { Call } from "../call.js";
import type { CardView } from "../card/card-source.js";
import { A2AError } from "../errors.js";

/**
 * Refuses a call that the card does not allow: a required extension that was not asked for (A2A-3.3.4-e), then a
 * capability that is not declared (A2A-3.3.4-b, c, d). What the card declares and the caller asked for becomes
 * `context.activatedExtensions`.
 */
export function checkCard(card: CardView, call: Call): void {
  const { requestedExtensions } = call.context;
  const declared = card.capabilities?.extensions;
  if (declared && declared.length > 0) {
    const missing = declared.filter(
      ({ uri, required }) => required && uri !== undefined && !requestedExtensions?.includes(uri),
    );
    if (missing.length > 0) throw extensionRequired(call, missing.map(({ uri }) => uri).join(", "));
    if (requestedExtensions && requestedExtensions.length > 0) {
      const active = requestedExtensions.filter((uri) => declared.some((one) => one.uri === uri));
      call.context.activatedExtensions = [...(call.context.activatedExtensions ?? []), ...active];
    }
  }
  const { capability } = call.method;
  if (capability !== undefined && !isDeclared(card, capability)) throw notOffered(call, capability);
}

/** 0.x cards keep some flags (`supportsAuthenticatedExtendedCard`) beside `capabilities`. */
const isDeclared = (card: CardView, capability: string): boolean =>
  card.capabilities?.[capability] === true || card[capability] === true;

/** A call as whoever made it knows it. */
export const asked = (call: Call): Pick<Call, "service" | "method"> => call.context.asked ?? call;

const extensionRequired = (call: Call, uris: string): A2AError =>
  new A2AError(
    "EXTENSION_SUPPORT_REQUIRED",
    `This agent requires the extension ${uris}: name it in the ${asked(call).service.headers.extensions} header`,
    // The code is also sent by versions whose table does not name the error.
    { code: -32008, metadata: { extensions: uris } },
  );

function notOffered(call: Call, capability: string): A2AError {
  const { name, capability: declared } = asked(call).method;
  const why = declared === undefined ? "" : `: its card does not declare the capability ${declared}`;
  return new A2AError(
    capability === "pushNotifications" ? "PUSH_NOTIFICATION_NOT_SUPPORTED" : "UNSUPPORTED_OPERATION",
    `This agent does not offer ${name}${why}`,
  );
}
