/** Where a case is proved instead of here. */
export interface Elsewhere {
  /** The part of the library that answers it. */
  readonly area: "session";
  readonly reason: string;
}

/** Cases that need more than one version, or a part of the library that these tests are not about. */
export const elsewhere: Record<string, Elsewhere> = {
  B171: { area: "session", reason: "turns a task into text for a language model" },
};
