/** Certificates and keys, as `node:tls` takes them: PEM texts, or bytes. */
export interface TlsOptions {
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Certificate and key in one PKCS #12 file. */
  readonly pfx?: Buffer;
  /** Of the key. */
  readonly passphrase?: string;
  /** Authorities that are trusted, instead of the usual ones. */
  readonly ca?: string | Buffer | (string | Buffer)[];
}
