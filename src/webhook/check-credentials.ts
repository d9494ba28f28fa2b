import type { HeaderReader } from "./header-of.js";
import { unauthenticated } from "./refusals.js";
import { isOneOf } from "./same-secret.js";
import type { VerifyOptions } from "./types.js";

/** Names that senders give the header of the token. */
const TOKEN_HEADERS = ["x-a2a-notification-token", "a2a-notification-token"];

/** Checks the token and `Authorization` against what was registered (A2A-13.2c-a, A2A-SA-h). */
export async function checkCredentials(
  header: HeaderReader,
  { token, authentication }: Pick<VerifyOptions, "token" | "authentication">,
): Promise<void> {
  if (token !== undefined) {
    const given = TOKEN_HEADERS.map(header).find((value) => value !== undefined);
    if (given === undefined) throw unauthenticated("The notification has no token");
    const isKnown =
      typeof token === "function"
        ? await token(given)
        : await isOneOf(given, typeof token === "string" ? [token] : token);
    if (!isKnown) throw unauthenticated("The token of the notification is not one that was registered");
  }
  if (authentication === undefined) return;
  const { scheme, credentials = "" } = authentication;
  const given = header("authorization") ?? "";
  // The name of a scheme has any case; what follows has not (RFC 9110).
  const isScheme = given.slice(0, scheme.length).toLowerCase() === scheme.toLowerCase();
  const rest = given.slice(scheme.length).trimStart();
  if (!isScheme || !(await isOneOf(rest, [credentials]))) {
    throw unauthenticated("Authorization is not what was registered", scheme);
  }
}
