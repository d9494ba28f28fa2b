import { hooks } from "../../src/convert/hooks.js";
import type { Model } from "../ir/types.js";
import { deriveHop } from "./derive.js";
import type { HopDraft } from "./draft.js";
import { createForm } from "./form.js";
import type { LoadedHop } from "./load-hop.js";
import { simplify } from "./simplify.js";

const known: ReadonlySet<string> = new Set(Object.keys(hooks));

/** The rules between two models: what is declared, and what follows. A gap in the declaration is a fault with its place. */
export const hopOf = ({ declaration, file }: LoadedHop, older: Model, newer: Model): HopDraft =>
  simplify(deriveHop(declaration, file, createForm(older), createForm(newer), known));
