import type { JWK } from "jose";
import { toBase64url } from "../base64url.js";
import { checkKeys } from "./check-keys.js";
import { openKey, type OpenKey } from "./open-key.js";
import { publicHalf } from "./public-half.js";
import type { KeyOptions, Keys } from "./types.js";

/** Where the JWKS is unless an option says otherwise. */
export const JWKS_PATH = "/.well-known/jwks.json";

/**
 * Keys for signing, read when they are first used. Throws `CONFIG` at once for an algorithm that is symmetric, a `kid`
 * that is missing or used twice, and a published key that holds its private part; no message shows a key.
 * @param url URL of the JWKS for `jku`, where `options.url` names none; undefined: no `jku`
 */
export function openKeys(options: KeyOptions, url?: () => string | undefined): Keys {
  checkKeys(options);
  let opening: Promise<readonly [OpenKey, ...OpenKey[]]> | undefined;
  const open = (): Promise<readonly [OpenKey, ...OpenKey[]]> => (opening ??= openAll(options));
  const header = (more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
    const jku = options.url ?? url?.();
    return { ...(jku !== undefined && { jku }), ...more };
  };
  let text: Promise<string> | undefined;

  return {
    async signJwt(claims, protectedHeader) {
      const [first] = await open();
      const payload = new TextEncoder().encode(JSON.stringify(claims));
      const jws = await first.sign(payload, header({ typ: "JWT", ...protectedHeader }));
      return `${jws.protected}.${toBase64url(payload)}.${jws.signature}`;
    },
    async sign(payload, protectedHeader) {
      const [first] = await open();
      return first.sign(payload, header(protectedHeader));
    },
    jwks: () => (text ??= open().then((keys) => jwksText(keys, options))),
    async ready() {
      await open();
    },
  };
}

async function openAll({ signing }: KeyOptions): Promise<readonly [OpenKey, ...OpenKey[]]> {
  const [first, ...more] = signing;
  return [await openKey(first), ...(await Promise.all(more.map(openKey)))];
}

function jwksText(keys: readonly OpenKey[], { published = [] }: KeyOptions): string {
  const retired = published.map((key): JWK => ({
    ...publicHalf(key),
    kid: key.kid,
    ...(key.alg !== undefined && { alg: key.alg }),
    use: "sig",
  }));
  return JSON.stringify({ keys: [...keys.map((key) => key.published), ...retired] });
}
