import type { CryptoKey, JWK } from "jose";
import { config } from "./check-keys.js";
import { publicHalf } from "./public-half.js";
import type { DetachedSignature, SigningKey } from "./types.js";

/** A key that has been read. */
export interface OpenKey {
  /** The public half with `kid`, `alg` and `use`. */
  readonly published: JWK;
  /** Signs bytes under a protected header. */
  sign(payload: Uint8Array, header: Readonly<Record<string, unknown>>): Promise<DetachedSignature>;
}

/** Reads a private key. Rejects with `CONFIG` naming its `kid` where it cannot be read or does not fit its algorithm. */
export async function openKey({ kid, alg, key }: SigningKey): Promise<OpenKey> {
  const jose = await import("jose");
  const sign = async (
    opened: CryptoKey | Uint8Array,
    payload: Uint8Array,
    header: Readonly<Record<string, unknown>>,
  ): Promise<DetachedSignature> => {
    const jws = await new jose.FlattenedSign(payload)
      .setProtectedHeader({ ...header, alg, kid })
      .sign(opened);
    return { protected: jws.protected ?? "", signature: jws.signature };
  };
  try {
    // A PEM text must be exported once, for its public half is published.
    const opened =
      typeof key === "string"
        ? await jose.importPKCS8(key, alg, { extractable: true })
        : await jose.importJWK(key, alg);
    // Some misfits of key and algorithm show when it signs, and only then.
    await sign(opened, new Uint8Array(), {});
    const half = publicHalf(typeof key === "string" ? await jose.exportJWK(opened) : key);
    if (half === undefined) throw new TypeError("no public half");
    return {
      published: { ...half, kid, alg, use: "sig" },
      sign: (payload, header) => sign(opened, payload, header),
    };
  } catch (error) {
    // The cause stays out: messages of parsers may quote what they read.
    throw config(`key ${kid} cannot be read as a private key for ${alg}${nameOf(error)}`);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? ` (${error.name})` : "");
