/** Who calls, by the names of the card's schemes: the scopes that each granted. */
export interface Granted {
  readonly principal: unknown;
  readonly schemes: ReadonlyMap<string, readonly string[]>;
}
