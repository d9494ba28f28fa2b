import canonicalize from "canonicalize";
import { agentCardTable } from "../versions/pivot.js";
import { A2AError } from "../errors.js";
import { canonicalForm } from "./canonical-form.js";
import { withoutEmpty } from "./without-empty.js";

/**
 * How a card is brought to the bytes that are signed. `spec`: as the specification has it. `sdk`: as the JavaScript and
 * Python SDKs do it, which leave out what is empty and what they do not know, so that their signatures do not cover it.
 */
export type CardForm = "spec" | "sdk";

/**
 * The text of a card that signatures are made over: without `signatures`, by RFC 8785 (A2A-8.4.1). In the `spec` form
 * members that the schema does not know, and free-form values, stay as they were received. Throws `INVALID_PARAMS` for
 * what is no JSON.
 */
export function canonicalCard(card: object, form: CardForm = "spec"): string {
  const { signatures: _, ...unsigned } = card as Readonly<Record<string, unknown>>;
  try {
    const reduced = canonicalForm(agentCardTable, unsigned, form === "spec" ? "kept" : "dropped");
    return canonicalize(form === "spec" ? reduced : (withoutEmpty(reduced) ?? {})) ?? "{}";
  } catch (error) {
    throw new A2AError("INVALID_PARAMS", `The card is no JSON: ${A2AError.from(error).message}`, {
      cause: error,
    });
  }
}
