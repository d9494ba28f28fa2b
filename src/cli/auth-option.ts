import { Option } from "commander";
import { isObject } from "../codec/json.js";
import { apiKey, basic, bearer, credentials, type ClientAuth, type Credential } from "../client-auth.js";
import { CliFailure } from "./failure.js";
import { readLocal } from "./read-local.js";

/** Credentials of the command line. */
export interface CliAuth {
  readonly auth: ClientAuth;
  /** They are chosen by the card, so that there has to be one. */
  readonly byCard: boolean;
}

// Read when the command runs: the parser of the command line would print what it refuses.
/** `--auth`. */
export const authOption = (): Option =>
  new Option(
    "--auth <credentials>",
    "bearer:TOKEN, basic:USER:PASSWORD, apikey:HEADER=KEY, env:VARIABLE with one of these or a token, or a JSON file of credentials by the card's scheme names",
  );

/** What `--auth` says. No failure shows any of it, for it may be a secret in the wrong place. */
export async function readAuth(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<CliAuth> {
  const variable = /^env:(.*)$/is.exec(text)?.[1];
  if (variable === undefined) {
    const auth = spelledOut(text);
    return auth === undefined
      ? { auth: credentials(await readCredentials(text)), byCard: true }
      : { auth, byCard: false };
  }
  const value = env[variable];
  if (!value) throw wrong("the environment variable that env: names is not set, or empty");
  return { auth: spelledOut(value) ?? bearer(value), byCard: false };
}

/** The provider for one of the short forms; undefined where it is none. */
function spelledOut(text: string): ClientAuth | undefined {
  const [, kind = "", rest = ""] = /^(bearer|basic|apikey):(.*)$/is.exec(text) ?? [];
  switch (kind.toLowerCase()) {
    case "bearer":
      if (!rest) throw wrong("write bearer:TOKEN");
      return bearer(rest);
    case "basic": {
      const [, user, password] = /^([^:]*):(.+)$/s.exec(rest) ?? [];
      if (user === undefined || password === undefined) throw wrong("write basic:USER:PASSWORD");
      return basic(user, password);
    }
    case "apikey": {
      const [, name, key] = /^([\w!#$%&'*+.^`|~-]+)=(.+)$/s.exec(rest) ?? [];
      if (name === undefined || key === undefined) throw wrong("write apikey:HEADER=KEY");
      return apiKey({ in: "header", name, key });
    }
    default:
      return undefined;
  }
}

async function readCredentials(path: string): Promise<Readonly<Record<string, Credential>>> {
  const text = await readLocal(path).catch(() => {
    throw wrong("neither bearer:…, basic:…, apikey:…, env:… nor a file that can be read");
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The reason of the parser would show a piece of the file.
    throw wrong("the file is not JSON");
  }
  if (!isObject(json)) throw wrong("the file must hold an object of credentials by scheme name");
  const found: Record<string, Credential> = {};
  for (const [scheme, value] of Object.entries(json)) {
    if (typeof value === "string" && value !== "") found[scheme] = value;
    else if (
      isObject(value) &&
      typeof value["username"] === "string" &&
      typeof value["password"] === "string"
    )
      found[scheme] = { username: value["username"], password: value["password"] };
    else
      throw wrong(
        `the file must give ${JSON.stringify(scheme)} a token or key, or { "username": …, "password": … }`,
      );
  }
  return found;
}

const wrong = (problem: string): CliFailure => new CliFailure(`--auth: ${problem}`, 2);
