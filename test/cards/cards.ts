import { readdirSync, readFileSync } from "node:fs";

/** What the index says of one card. */
export interface IndexedCard {
  readonly file: string;
  readonly versionClaimed: string;
  readonly tolerantClient: { readonly usable: string; readonly how: string };
  readonly odd: string;
  /** What stands before the JSON in the file as it was found. */
  readonly rawPrefix?: string;
}

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");

/** Every card, as the index lists them. */
export const indexedCards = (JSON.parse(read("index.json")) as { cards: IndexedCard[] }).cards;

/** The files of the folder that hold a card. */
export const cardFiles = readdirSync(new URL(".", import.meta.url)).filter((name) => /^card-.*\.json$/.test(name));

/** The text of a card. */
export const cardText = (file: string): string => read(file);
