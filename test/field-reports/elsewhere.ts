/** Where a case is proved instead of here. */
export interface Elsewhere {
  /** The part of the library that answers it. */
  readonly area:
    "conversion" | "HTTP+JSON of 0.3" | "negotiation" | "card reading" | "card signing" | "auth" | "session";
  readonly reason: string;
}

const conversion = (reason: string): Elsewhere => ({ area: "conversion", reason });
const proto = (reason: string): Elsewhere => ({ area: "HTTP+JSON of 0.3", reason });
const signing = (reason: string): Elsewhere => ({ area: "card signing", reason });
const auth = (reason: string): Elsewhere => ({ area: "auth", reason });

/** Cases that need more than one version, or a part of the library that these tests are not about. */
export const elsewhere: Record<string, Elsewhere> = {
  B114: conversion("0.1 is generated in tests but never spoken (decision 20)"),
  B027b: proto("Part of the 0.3 proto has no metadata; needs the third shape"),
  B030a: proto("content instead of parts, and blocking inverted"),
  B030b: proto("request instead of message"),
  B030c: proto("msg instead of message in the reply"),
  B033a: proto("resource names, and 0 for unlimited history"),
  B036b: proto("resource names of push configurations"),
  B086b: proto("its routes lie under /v1"),
  B087: proto("its routes lie under /v1"),
  B153a: signing("canonical form of a card"),
  B153b: signing("canonical form of a card"),
  B154: signing("verification without a key"),
  B155: signing("canonical form keeps unknown members"),
  B156: signing("order of keys in RFC 8785"),
  B157a: signing("alg none"),
  B157b: signing("confusion of algorithms"),
  B157c: signing("a missing kid"),
  B157d: signing("an unknown critical header"),
  B125a: auth("needs two callers that are told apart"),
  B125b: auth("needs two callers that are told apart"),
  B176: auth("credentials stay with their origin"),
  B171: { area: "session", reason: "turns a task into text for a language model" },
};
