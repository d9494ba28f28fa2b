import { z } from "zod";
import { isRecord } from "./is-record.js";

/** The name of an environment variable that holds a secret; it is read for each request. */
export interface FromEnvironment {
  readonly env: string;
}

/** A secret of a configuration: by the name of a variable, or the text itself. */
export type ConfiguredSecret = FromEnvironment | string;

/** What is shown for a security scheme of the card: a token or key, or a name and password. */
export type ConfiguredCredential =
  ConfiguredSecret | { readonly username: string; readonly password: ConfiguredSecret };

/** Credentials of an agent in a configuration; exactly one member. */
export type AgentAuth =
  | { readonly bearer: ConfiguredSecret }
  | { readonly basic: { readonly username: string; readonly password: ConfiguredSecret } }
  | {
      readonly api_key: {
        readonly in: "header" | "query" | "cookie";
        readonly name: string;
        readonly key: ConfiguredSecret;
      };
    }
  | {
      readonly client_credentials: {
        readonly issuer: string;
        readonly client_id: string;
        readonly client_secret: ConfiguredSecret;
        readonly scope?: string | undefined;
      };
    }
  /** By the names of the card's security schemes. */
  | { readonly schemes: Readonly<Record<string, ConfiguredCredential>> };

const secret = z.union([z.string().min(1), z.strictObject({ env: z.string().min(1) })]);
const login = z.strictObject({ username: z.string(), password: secret });
const place = z.enum(["header", "query", "cookie"]);
const forms: Readonly<Record<string, z.ZodType>> = {
  bearer: secret,
  basic: login,
  api_key: z.strictObject({ in: place, name: z.string().min(1), key: secret }),
  client_credentials: z.strictObject({
    issuer: z.url(),
    client_id: z.string().min(1),
    client_secret: secret,
    scope: z.string().optional(),
  }),
  schemes: z.record(z.string(), z.union([secret, login])),
};

/** What is wrong with the `auth` of an entry, without a word of what is in it; undefined where nothing is. */
export function authProblem(auth: unknown): string | undefined {
  const names = Object.keys(forms);
  const given: (readonly [string, unknown])[] = isRecord(auth) ? Object.entries(auth) : [];
  const [only, ...others] = given;
  const form = only && Object.hasOwn(forms, only[0]) ? forms[only[0]] : undefined;
  if (only === undefined || form === undefined || others.length > 0)
    return `auth must be an object with one of ${names.join(", ")}, as in { "bearer": { "env": "TOKEN" } }`;
  const [name, value] = only;
  const issue = form.safeParse(value).error?.issues[0];
  if (issue === undefined) return undefined;
  const path = ["auth", name, ...issue.path].map(String).join(".");
  return `${path} is not as it should be; secrets are { "env": "NAME" } or texts`;
}
