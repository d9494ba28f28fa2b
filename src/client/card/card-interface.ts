/** One way to reach an agent, as its card names it. */
export interface CardInterface {
  /** Absolute; where it could not be made so, as it was written. */
  readonly url: string;
  /** `JSONRPC`, `HTTP+JSON`, `GRPC`, or the name of another binding as it was written. */
  readonly protocolBinding: string;
  /** `Major.Minor`. */
  readonly protocolVersion: string;
  /** To be put into every request (A2A-8.3.2-d). */
  readonly tenant?: string;
  /** `legacy`: from the top-level members of 0.x. */
  readonly source: "supportedInterfaces" | "legacy";
  /** Where the card names it. */
  readonly pointer: string;
  /** True where the version is a guess, for the card names none, or one that its layout does not have. */
  readonly assumed: boolean;
  /** False where nobody could call it; `problem` says why. */
  readonly usable: boolean;
  readonly problem?: string;
}
