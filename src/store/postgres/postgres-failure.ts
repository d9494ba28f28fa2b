import { A2AError } from "../../errors.js";

/** What the codes of the driver and of the server mean; `setup`: another try changes nothing. */
const MEANINGS: readonly (readonly [code: RegExp, words: string, kind?: "setup" | "network"])[] = [
  [/^28/, "it refused the login; check the user and the password", "setup"],
  [/^3D000$/, "there is no such database; check its name, or create it", "setup"],
  [/^42501$/, "the user may not do this; grant it the rights on the schema", "setup"],
  [
    /^(42P01|42703|3F000)$/,
    "its tables are not those of this version; run: a2a-typed store migrate postgres://…",
  ],
  [/^25006$/, "it takes no writes; name the primary server", "setup"],
  [/^53100$/, "its disk is full"],
  [/^53300$/, "it has no connection to spare; lower max, or raise its max_connections"],
  [/^53/, "it is out of resources"],
  [/^(57P0[1-5]|25P03)$/, "it ended the connection: it stops, starts, or waited too long", "network"],
  [/^57014$/, "it canceled a statement that took too long"],
  [/^40/, "others were in the way too often"],
  [/^55P03$/, "a lock could not be had in time"],
  [/^23/, "a constraint refused what was written"],
  [/^22/, "it cannot store a value that was given"],
  [/^08/, "the connection was lost", "network"],
  [/^ECONNREFUSED$/, "nothing listens at its host and port", "network"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "its host name has no address", "network"],
  [
    /^(ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNABORTED)$/,
    "the connection was lost",
    "network",
  ],
  [/CERT|TLS|SSL/, "its certificate is not accepted; see sslmode", "setup"],
];

/** The driver has no codes for these. */
const SAYINGS: readonly (readonly [message: RegExp, words: string, kind?: "setup" | "network"])[] = [
  [/^SASL.*password must be/, "it wants a password, and the URL has none", "setup"],
  [/does not support SSL/, "it does not speak TLS; see sslmode", "setup"],
  [/^timeout exceeded when trying to connect/, "no connection could be had in time", "network"],
  [/timeout/i, "it did not answer in time", "network"],
  [/terminated|closed|not queryable|socket/i, "the connection was lost", "network"],
  [/pool after calling end/, "the store is closed"],
];

/** An error of the driver in words of ours, and the code: its own texts hold values, users, hosts, parts of the URL. */
export function postgresFailure(error: unknown): Error {
  const code = wordIn(error, "code");
  const table = code === undefined ? SAYINGS : MEANINGS;
  const text = code ?? (error instanceof Error ? error.message : "");
  const [, words = "it failed", kind] = table.find(([pattern]) => pattern.test(text)) ?? [];
  const constraint = wordIn(error, "constraint");
  const of = constraint?.startsWith("a2a_") === true ? `, ${constraint}` : "";
  const message = `store: PostgreSQL: ${words}${code === undefined ? "" : ` (${code}${of})`}`;
  if (kind === undefined) return new Error(message);
  return new A2AError(kind === "setup" ? "CONFIG" : "NETWORK", message);
}

/** A property that is one plain word, as codes and names of constraints are. */
function wordIn(error: unknown, name: "code" | "constraint"): string | undefined {
  const value: unknown = error instanceof Error && name in error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" && /^\w{1,63}$/.test(value) ? value : undefined;
}
