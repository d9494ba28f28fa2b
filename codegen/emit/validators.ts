import { _, Ajv, str, type CodeKeywordDefinition, type KeywordCxt, type Name } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { refTo, toJsonSchema } from "../ir/json-schema.js";
import type { Model } from "../ir/types.js";

import { header } from "./header.js";
import { reachable } from "./reachable.js";
import type { Target } from "./target.js";
import { fill } from "./templates.js";

/** Name of the validator of a declaration. */
export const validatorName = (name: string): string => `is${name}`;

/** `validators.js`: ajv's standalone code for the wire roots, as an ES module without `require` or `eval`. */
export function emitValidators(model: Model, target: Target): string {
  const ajv = createAjv();
  ajv.addSchema(toJsonSchema(model, "validator"), "");
  // ajv writes a function for each declaration below the roots anyway, so exporting it costs nothing.
  const names = Object.fromEntries(reachable(model).map((name) => [validatorName(name), refTo(name)]));
  return `${header(model, target)}${linkRuntime(standalone.default(ajv, names), target)}`;
}

/** `validators.d.ts`: type guards that carry the errors of their last call. */
export const emitValidatorTypes = (model: Model, target: Target): string => {
  const types = reachable(model);
  return `${header(model, target)}${fill("validators", {
    version: model.version,
    types,
    guards: types.map((name) => ({ name: validatorName(name), type: name })),
  })}`;
};

/** The ajv that compiles the `validator` flavour of our schema. */
export function createAjv(): Ajv {
  return new Ajv({
    allErrors: false,
    code: { source: true, esm: true, lines: true, optimize: 2 },
    discriminator: true,
    inlineRefs: false,
    keywords: [group("exactlyOne"), group("atMostOne")],
    messages: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  });
}

/** A keyword that counts which of the named members are there; one look, one error. */
function group(keyword: "exactlyOne" | "atMostOne"): CodeKeywordDefinition {
  const words = keyword === "exactlyOne" ? "exactly one" : "at most one";
  return {
    keyword,
    type: "object",
    schemaType: "array",
    error: { message: ({ schema }) => str`must have ${words} of ${(schema as string[]).join(", ")}` },
    code(cxt: KeywordCxt) {
      const { gen, data } = cxt;
      const terms = (cxt.schema as string[]).map((name) => _`(${data}[${name}] === undefined ? 0 : 1)`);
      const count: Name = gen.const(
        "count",
        terms.reduce((sum, term) => _`${sum} + ${term}`),
      );
      cxt.fail(keyword === "exactlyOne" ? _`${count} !== 1` : _`${count} > 1`);
    },
  };
}

/** The helpers of ajv that a schema of ours can need, by the names they have in `runtime.js`. */
const HELPERS = ["ucs2length"];

/** Turns ajv's `require` of its own helpers into an import of ours, and refuses everything else that loads or makes code. */
function linkRuntime(code: string, { runtime }: Target): string {
  const imports: string[] = [];
  const linked = code
    // Lets bundlers drop the patterns of validators that are not used.
    .replace(/= new RegExp\(/g, "= /* @__PURE__ */ new RegExp(")
    .replace(/^"use strict";\s*/, "")
    .replace(
      /const (\w+) = require\("ajv\/dist\/runtime\/(\w+)"\)\.default;\n?/g,
      (whole, local: string, helper: string) => {
        if (!HELPERS.includes(helper)) return whole;
        imports.push(`import { ${helper} as ${local} } from "${runtime}";\n`);
        return "";
      },
    );
  const banned = /\brequire\s*\(|\beval\s*\(|\bnew Function\b/.exec(linked);
  if (banned !== null)
    throw new Error(
      `validators.js would contain ${banned[0]}: ${linked.slice(banned.index, banned.index + 80)}`,
    );
  return `${imports.join("")}${linked}`;
}
