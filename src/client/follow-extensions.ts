import { chain, type Interceptor } from "../call.js";
import { A2AError } from "../errors.js";
import type { AgentCard } from "../versions/pivot.js";
import { closureOf, encoded, type ClientExtension } from "./client-extension.js";

/**
 * Asks for what extensions build on, has each take part in the calls that ask for it, and refuses to call an agent whose card
 * requires one that the call does not ask for (A2A-4.4.4-b): `EXTENSION_SUPPORT_REQUIRED`, before anything is sent. `card` is
 * read at each call, for an extended one may take its place.
 */
export function followExtensions(card: () => AgentCard, extensions: readonly ClientExtension[]): Interceptor {
  const known = new Map(extensions.map((one) => [encoded(one.uri), one]));
  return (next) => (call) => {
    const name = call.service.headers.extensions;
    const asked = closureOf(urisOf(call.headers[name]), known);
    const missing = requiredBy(card()).filter((uri) => !asked.includes(uri));
    if (missing.length > 0) throw missingOf(card(), missing, call.service.errors);
    if (asked.length === 0) return next(call);
    const taking = asked.flatMap((uri) => known.get(uri)?.interceptor ?? []);
    return chain(taking, next)({ ...call, headers: { ...call.headers, [name]: asked.join(", ") } });
  };
}

const urisOf = (header = ""): readonly string[] =>
  header
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

const requiredBy = ({ capabilities }: AgentCard): readonly string[] =>
  (capabilities.extensions ?? []).flatMap(({ uri, required }) => (required === true ? [encoded(uri)] : []));

function missingOf(
  { name }: AgentCard,
  missing: readonly string[],
  errors: Readonly<Record<string, { readonly code: number } | undefined>>,
): A2AError {
  return new A2AError(
    "EXTENSION_SUPPORT_REQUIRED",
    `${name} requires ${missing.join(" and ")}; where your program follows that extension, name it in extensions`,
    { code: errors["EXTENSION_SUPPORT_REQUIRED"]?.code },
  );
}
