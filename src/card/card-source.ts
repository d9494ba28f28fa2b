/** An agent card of any version, or what gives it: called for every reply that needs it, so keep it cheap. */
export type CardSource = object | (() => object | Promise<object>);

/** The card in a version that is served (`Major.Minor`), or for a request that names none. */
export type PublishedCard = (version: string | undefined) => object | Promise<object>;

/** What the layers below the card's own version read of a card. */
export interface CardView {
  readonly capabilities?: Readonly<Record<string, unknown>> & {
    readonly extensions?: readonly { readonly uri?: string; readonly required?: boolean }[];
  };
  readonly [member: string]: unknown;
}

/** The card that a source gives now. */
export function readCard(source: CardSource): CardView | Promise<CardView> {
  const card = typeof source === "function" ? (source as () => object | Promise<object>)() : source;
  return card as CardView | Promise<CardView>;
}
