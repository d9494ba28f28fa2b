/** What an authorization server gave. */
export interface Tokens {
  readonly accessToken: string;
  /** Gets the next ones without a grant. */
  readonly refreshToken?: string | undefined;
  /** Milliseconds since the epoch; absent: good until it is refused. */
  readonly expiresAt?: number | undefined;
  /** Milliseconds since the epoch, when it came. */
  readonly issuedAt?: number | undefined;
  /** Scopes that were granted, parted by spaces, where the server says so. */
  readonly scope?: string | undefined;
}
