import { toJsonSchema } from "../ir/json-schema.js";
import type { Model } from "../ir/types.js";
import { stableJson } from "../load/stable-json.js";
import { headerText } from "./header.js";

/** `schema.json`: the canonical JSON Schema of the version, with our docs. */
export const emitSchema = (model: Model): string => {
  const { $schema, title, ...rest } = toJsonSchema(model);
  return stableJson({ $schema, $comment: headerText(model), title, ...rest });
};
