/** Where a case is proved instead of here. */
export interface Elsewhere {
  /** The part of the library that answers it. */
  readonly area: "conversion" | "negotiation" | "card reading" | "auth" | "session";
  readonly reason: string;
}

const conversion = (reason: string): Elsewhere => ({ area: "conversion", reason });
const auth = (reason: string): Elsewhere => ({ area: "auth", reason });

/** Cases that need more than one version, or a part of the library that these tests are not about. */
export const elsewhere: Record<string, Elsewhere> = {
  B114: conversion("0.1 is generated in tests but never spoken (decision 20)"),
  B176: auth("credentials stay with their origin"),
  B171: { area: "session", reason: "turns a task into text for a language model" },
};
