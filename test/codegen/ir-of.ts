import { buildModel } from "../../codegen/ir/build.js";
import type { Decl, Field, Model, Type } from "../../codegen/ir/types.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import type { Overlay } from "../../codegen/load/overlay.js";
import { parseOverlay } from "../../codegen/load/overlay.js";

/** A model from the definitions of a 0.x schema, or of a 1.x one where a proto is given. */
export function irOf(definitions: object, facts: { proto?: string; overlay?: Overlay } = {}): Model {
  const isBundle = facts.proto !== undefined;
  const json = JSON.stringify(
    isBundle ? { definitions: { ...definitions, Anchor: anchor } } : { definitions },
  );
  const proto =
    facts.proto === undefined
      ? {}
      : { proto: `${facts.proto} message Anchor { google.protobuf.Struct any = 1; }` };
  return buildModel(
    loadOfficial({
      json,
      ...proto,
      ...(facts.overlay === undefined ? {} : { overlay: facts.overlay }),
      release: isBundle ? "1.7.0" : "0.7.0",
    }),
  );
}

/** Makes a snippet a bundle of the 1.0 style: one reference in its form. */
const anchor = { type: "object", properties: { any: { $ref: "google.protobuf.Struct.jsonschema.json" } } };

/** An overlay with the given sections and nothing else in it. */
export function overlayOf(sections: object): Overlay {
  const spec = "§0";
  const service = {
    name: "S",
    headers: { version: "v", extensions: "e", spec },
    errorData: "any",
    restMediaType: "application/json",
    tenantPrefix: false,
    card: { path: "/card", type: "AgentCard", spec },
    helpers: "none",
    rest: true,
    spec,
  };
  return parseOverlay(JSON.stringify({ version: "0.7", service, ...sections }), "overlay.json");
}

/** A declaration that must exist. */
export function declIn(model: Model, name: string): Decl {
  const decl = model.decls.find((candidate) => candidate.name === name);
  if (decl === undefined)
    throw new Error(`no declaration ${name}: ${model.decls.map((d) => d.name).join(", ")}`);
  return decl;
}

/** The type of an alias. */
export function aliasIn(model: Model, name: string): Type {
  const decl = declIn(model, name);
  if (decl.kind !== "alias") throw new Error(`${name} is an ${decl.kind}`);
  return decl.type;
}

/** A field, as `Type.field`. */
export function fieldIn(model: Model, path: string): Field {
  const [owner = "", name] = path.split(".");
  const decl = declIn(model, owner);
  const field = decl.kind === "object" ? decl.fields.find((candidate) => candidate.name === name) : undefined;
  if (field === undefined) throw new Error(`no field ${path}`);
  return field;
}
