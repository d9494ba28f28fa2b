import { transform } from "esbuild";
import { createForm } from "../../codegen/convert/form.js";
import { deriveHop } from "../../codegen/convert/derive.js";
import type { HopDraft } from "../../codegen/convert/draft.js";
import { emitHop } from "../../codegen/convert/emit-hop.js";
import { parseDeclaration } from "../../codegen/convert/declaration.js";
import { simplify } from "../../codegen/convert/simplify.js";
import type { Decl, Method, Model } from "../../codegen/ir/types.js";
import { hooks } from "../../src/convert/hooks.js";
import type { Hop } from "../../src/descriptor.js";
import { modelOf } from "./fixture.js";

/** Two neighbouring versions, made of declarations by hand. */
export interface Neighbours {
  readonly older: Decl[];
  readonly newer: Decl[];
  readonly olderMethods?: Method[];
  readonly newerMethods?: Method[];
}

/** The rules between two versions, `8.0` and `9.0`, from a declaration in JSON. */
export function draftOf(
  { older, newer, olderMethods = [], newerMethods = [] }: Neighbours,
  declaration: object = {},
): HopDraft {
  const text = JSON.stringify({ older: "8.0", newer: "9.0", ...declaration });
  const of = (version: string, decls: Decl[], methods: Method[]): Model =>
    modelOf(decls, { version, release: `${version}.0`, methods });
  return simplify(
    deriveHop(
      parseDeclaration(text, "8.0-9.0.json"),
      "8.0-9.0.json",
      createForm(of("8.0", older, olderMethods)),
      createForm(of("9.0", newer, newerMethods)),
      new Set(Object.keys(hooks)),
    ),
  );
}

/** The same as the generated module has it. */
export const hopOf = (neighbours: Neighbours, declaration: object = {}): Promise<Hop> =>
  loadDraft(draftOf(neighbours, declaration));

/** A hop as it is written and read again. */
export async function loadDraft(draft: HopDraft): Promise<Hop> {
  const emitted = emitHop(draft, "seam", "// generated");
  const { code } = await transform(emitted, { loader: "ts", format: "esm" });
  const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  const { hop } = (await import(url)) as { hop: Hop };
  return hop;
}
