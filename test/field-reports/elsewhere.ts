/** Where a case is proved instead of here. */
export interface Elsewhere {
  /** The part of the library that answers it. */
  readonly area: "conversion" | "negotiation" | "card reading" | "card signing" | "auth" | "session";
  readonly reason: string;
}

const conversion = (reason: string): Elsewhere => ({ area: "conversion", reason });
const signing = (reason: string): Elsewhere => ({ area: "card signing", reason });
const auth = (reason: string): Elsewhere => ({ area: "auth", reason });

/** Cases that need more than one version, or a part of the library that these tests are not about. */
export const elsewhere: Record<string, Elsewhere> = {
  B114: conversion("0.1 is generated in tests but never spoken (decision 20)"),
  B153a: signing("canonical form of a card"),
  B153b: signing("canonical form of a card"),
  B154: signing("verification without a key"),
  B155: signing("canonical form keeps unknown members"),
  B156: signing("order of keys in RFC 8785"),
  B157a: signing("alg none"),
  B157b: signing("confusion of algorithms"),
  B157c: signing("a missing kid"),
  B157d: signing("an unknown critical header"),
  B176: auth("credentials stay with their origin"),
  B171: { area: "session", reason: "turns a task into text for a language model" },
};
