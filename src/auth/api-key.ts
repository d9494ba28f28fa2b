import { A2AError } from "../errors.js";
import { knownSecrets } from "./known-secrets.js";
import type { VerifyToken } from "./bearer.js";
import type { Authenticator, AuthRequest, Identity } from "./types.js";
import { wrongCredentials } from "./wrong-credentials.js";

/** Where a key is, and whose it is: `keys` or `verify`. */
export interface ApiKeyOptions {
  /** A query ends up in logs and histories: prefer a header. */
  readonly in: "header" | "query" | "cookie";
  /** Name of the header, query parameter or cookie. */
  readonly name: string;
  /** Keys and their owners. */
  readonly keys?: Readonly<Record<string, Identity>>;
  /** Whose a key is; undefined where it is nobody's. */
  readonly verify?: VerifyToken;
  readonly description?: string;
}

/** A secret key in a header, the query or a cookie. Throws `CONFIG` unless there is one of `keys` and `verify`. */
export function apiKey(options: ApiKeyOptions): Authenticator {
  const { in: location, name, keys, verify, description } = options;
  if ((keys === undefined) === (verify === undefined)) {
    throw new A2AError("CONFIG", `apiKey ${name}: give either keys or verify`);
  }
  const look: VerifyToken = verify ?? knownSecrets(keys ?? {});
  const read = readers[location](name);
  return {
    scheme: {
      apiKeySecurityScheme: { location, name, ...(description !== undefined && { description }) },
    },
    async authenticate(request) {
      const shown = read(request);
      if (shown.length === 0) return undefined;
      // Two keys would be two callers.
      const [key] = shown;
      const identity = key && shown.length === 1 ? await look(key, request) : undefined;
      if (identity === undefined)
        throw wrongCredentials(`The API key in the ${location} ${name} is not valid`);
      return identity;
    },
  };
}

type Reader = (request: AuthRequest) => readonly string[];

const readers: Readonly<Record<ApiKeyOptions["in"], (name: string) => Reader>> = {
  header: (name) => {
    const lower = name.toLowerCase();
    return ({ headers }) => listOf(headers[lower]);
  },
  query:
    (name) =>
    ({ url }) => {
      const at = url.indexOf("?");
      return at < 0 ? [] : new URLSearchParams(url.slice(at + 1)).getAll(name);
    },
  cookie: (name) => {
    const start = `${name}=`;
    return ({ headers }) =>
      (headers["cookie"] ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(start))
        .map((pair) => pair.slice(start.length).replace(/^"(.*)"$/, "$1"));
  },
};

const listOf = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value.trim()]);
